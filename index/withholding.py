"""A snapshot's details without the people who asked not to be found."""

from collections.abc import Collection
from dataclasses import replace

import pyarrow as pa

from index.details import Details


def withheld(details: Details, people: Collection[int]) -> Details:
    """The same, but those people (ordinals) have no id, name or login to be found or shown by."""
    import pyarrow.compute as pc  # as long to load as a question takes, and seldom needed

    hidden = set(people)
    rows = pa.array(range(details.people.num_rows), pa.int32())
    shown = pc.invert(pc.is_in(rows, pa.array(sorted(hidden), pa.int32())))
    columns = {name: details.people[name] for name in details.people.column_names}
    blank: dict[str, object] = {"id": None, "name": "", "aliases": [], "logins": []}
    return replace(
        details,
        people=pa.table(
            {
                name: pc.if_else(shown, column, pa.scalar(blank[name], column.type))
                for name, column in columns.items()
            }
        ),
        attributes={key: value for key, value in details.attributes.items() if key not in hidden},
        clocks={key: value for key, value in details.clocks.items() if key not in hidden},
        holdings={key: value for key, value in details.holdings.items() if key not in hidden},
    )
