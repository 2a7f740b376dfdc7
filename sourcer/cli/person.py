"""sourcer person: one person with all that is held, and where each fact comes from."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer import snapshot
from sourcer.cli.asking import hidden, opened, understood
from sourcer.cli.options import HERE, AsJson, Data

if TYPE_CHECKING:
    from index.person import PersonDetail
    from index.search import Searcher
    from index.verdicts import Verdict
    from sourcer.query import Query


def person(
    who: Annotated[str, typer.Argument(metavar="LOGIN|ID", help="Whom to show.")],
    question: Annotated[
        str | None,
        typer.Option(metavar="QUESTION", help="Say of each of its words whether it holds."),
    ] = None,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Show one person: who it is and why, what they did, what they declare, and the sources.

    [dim]sourcer person some-login --question "US engineers who know MoE, senior or above"[/dim]
    """
    from index.person import People
    from sourcer import settings

    live = snapshot.current_good(data)
    with opened(data) as searcher:
        people = People.open(live.database, searcher.details, hidden(settings.read(data), live))
        found = people.detail(who)
        decided = _decided(searcher, understood(data, question), found) if question else ()
    if as_json:
        print(json.dumps(_json(found, live.name, decided), ensure_ascii=False, indent=2))
    else:
        from sourcer.cli.person_printing import printed

        printed(found, decided)


def _decided(searcher: "Searcher", query: "Query", found: "PersonDetail") -> "tuple[Verdict, ...]":
    from index.verdicts import verdicts

    ordinal = searcher.details.person(found.shown.id)
    return () if ordinal is None else verdicts(searcher, query, ordinal)


def _json(found: "PersonDetail", name: str, decided: "tuple[Verdict, ...]") -> dict[str, object]:
    """What the API's page of a person says, and the words of the question beside it."""
    from api.person_responses import PersonDetailOut

    said: dict[str, object] = PersonDetailOut.of(found, name).model_dump(mode="json")
    return said | ({"words": [each.json() for each in decided]} if decided else {})
