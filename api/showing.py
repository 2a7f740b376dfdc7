"""People of the workspace as the snapshot shows them; those who asked not to be found are not."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from api.blinding import Veil
from api.desk_responses import ListedOut
from api.responses import PersonOut
from api.snapshots import Opened
from sourcer.errors import NoSuchPerson
from sourcer.workspace import identifiers
from sourcer.workspace.entries import Listed


def is_hidden(opened: Opened, person: str) -> bool:
    """Whether a person, of this snapshot or an earlier one, asked not to be found."""
    return person in opened.people.hidden or opened.suppressed.matches([identifiers.person(person)])


def shown_people(opened: Opened, listed: Iterable[Listed]) -> Iterator[Listed]:
    return (one for one in listed if not is_hidden(opened, one.person_id))


def listed_out(opened: Opened, listed: Listed) -> ListedOut:
    return ListedOut.of(listed, person_out(opened, listed.person_id))


def person_out(opened: Opened, person: str) -> PersonOut | None:
    try:
        return PersonOut.of(opened.people.shown(person))
    except NoSuchPerson:
        return None


def names_shown(opened: Opened, people: Iterable[str], veil: Veil) -> dict[str, str]:
    """The names of those who are here and may be shown."""
    found = {}
    for id_ in dict.fromkeys(people):
        if not is_hidden(opened, id_):
            with suppress(NoSuchPerson):
                found[id_] = veil.name(id_, opened.people.shown(id_).name)
    return found
