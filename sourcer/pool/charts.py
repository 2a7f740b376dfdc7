"""Charts as SVG that stands alone: no script, no font or file from elsewhere, named for readers.

Each chart repeats what a table beside it says; colour is never the only sign.
"""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import pygal
from pygal.style import Style

from sourcer.pool.funnel import Step
from sourcer.pool.slices import SideBySide, Slice

# pygal finds its map plug-ins by an import hook of the old kind, which warns at every later import.
sys.meta_path[:] = [hook for hook in sys.meta_path if type(hook).__module__ != pygal.__name__]

SVG = "http://www.w3.org/2000/svg"
MOST = 40
"""Letters of a label; the whole text is in the table."""
NARROW = 0.04
"""A part of a bar too narrow for its number, as a share of the longest bar."""
_STYLE = Style(
    background="transparent",
    plot_background="transparent",
    colors=("#1f5fa8", "#7a4fb5", "#b9771f", "#2c7a4b", "#a33a3a"),
    font_family="system-ui, sans-serif",
    label_font_size=13,
    major_label_font_size=13,
    legend_font_size=13,
    value_font_size=12,
    no_data_font_size=13,
)


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the words and numbers of a chart are said; in English where nothing else is given."""

    told: Callable[[str], str] = str
    number: Callable[[float], str] = "{:,.0f}".format


ENGLISH = Tongue()


def funnel(steps: Sequence[Step], tongue: Tongue = ENGLISH) -> str:
    """Who is left after each word, matched, by artifacts and undecided.

    >>> step = Step("US", "country", matched=3, by_artifacts=0, unknown=2, dropped=5, how="")
    >>> "US: 3 matched, 0 by artifacts, 2 unknown, 5 dropped" in funnel([step])
    True
    """
    told, number = tongue.told, tongue.number
    most = max((step.left for step in steps), default=0)
    names = [told(step.says) for step in steps]
    chart = _chart(names, most, stacked=True, tongue=tongue)
    parts = {
        "matched": [step.matched for step in steps],
        "by artifacts": [step.by_artifacts for step in steps],
        "unknown": [step.unknown for step in steps],
    }
    for part, counts in parts.items():
        chart.add(told(part), counts[::-1])
    parts["dropped"] = [step.dropped for step in steps]
    says = [
        f"{name}: "
        + ", ".join(f"{number(counts[row])} {told(part)}" for part, counts in parts.items())
        for row, name in enumerate(names)
    ]
    return _named(chart, told("Who is left after each word of the question"), "; ".join(says))


def slice_(one: Slice, tongue: Tongue = ENGLISH) -> str:
    """People by one dimension, those who meet every word and the others."""
    told, number = tongue.told, tongue.number
    most = max((row.people for row in one.rows), default=0)
    chart = _chart([told(row.value) for row in one.rows], most, stacked=True, tongue=tongue)
    chart.add(told("meet every word"), [row.matched for row in reversed(one.rows)])
    undecided = [row.people - row.matched for row in reversed(one.rows)]
    chart.add(told("some word undecided"), undecided)
    says = [f"{told(row.value)}: {number(row.people)}" for row in one.rows]
    says.append(f"{told('not known')}: {number(one.unknown)}")
    return _named(chart, told(one.title), "; ".join(says))


def side_by_side(one: SideBySide) -> str:
    """Several pools by one dimension."""
    most = max((max(counts) for _, counts in one.rows), default=0)
    chart = _chart([value for value, _ in one.rows], most, stacked=False)
    for column, name in enumerate(one.pools):
        chart.add(_short(name), [counts[column] for _, counts in reversed(one.rows)])
    says = [
        f"{value}: "
        + ", ".join(f"{n} in {name}" for name, n in zip(one.pools, counts, strict=True))
        for value, counts in one.rows
    ]
    return _named(chart, f"Pools side by side by {one.dimension}", "; ".join(says))


def bars(
    title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]], *, decimals: int = 0
) -> str:
    """Any numbers, a bar for each label; several series stand on one bar, one after the other."""
    most = max((sum(numbers) for numbers in zip(*series.values(), strict=True)), default=0.0)
    number = f"{{:,.{decimals}f}}".format
    chart = _chart(labels, most, stacked=True, tongue=Tongue(number=number))
    for name, numbers in series.items():
        chart.add(_short(name), list(reversed(numbers)))
    says = [
        f"{label}: "
        + ", ".join(f"{number(numbers[row])} {name}" for name, numbers in series.items())
        for row, label in enumerate(labels)
    ]
    return _named(chart, title, "; ".join(says))


def _chart(
    labels: Sequence[str], most: float, *, stacked: bool, tongue: Tongue = ENGLISH
) -> pygal.HorizontalBar:
    """Bars from top to bottom in the order of the labels: pygal begins at the bottom."""
    kind = pygal.HorizontalStackedBar if stacked else pygal.HorizontalBar
    return kind(
        x_labels=[_short(label) for label in reversed(labels)],
        style=_STYLE,
        js=(),
        disable_xml_declaration=True,
        height=110 + 34 * max(len(labels), 1),
        width=820,
        legend_at_bottom=True,
        print_values=True,
        value_formatter=lambda value: tongue.number(value) if value > NARROW * most else "",
        no_data_text=tongue.told("nobody"),
        explicit_size=False,
        pretty_print=False,
    )


def _named(chart: pygal.HorizontalBar, title: str, says: str) -> str:
    """Gives the image a name and a description for those who do not see it."""
    chart.uuid = sha256(f"{title}{says}".encode()).hexdigest()[:12]
    ET.register_namespace("", SVG)
    root = ET.fromstring(chart.render(is_unicode=True))  # noqa: S314 - rendered by ourselves
    _drop(root, {"title", "script"})
    for place, (tag, text) in enumerate((("title", title), ("desc", says))):
        element = ET.Element(f"{{{SVG}}}{tag}")
        element.text = text
        root.insert(place, element)
    root.set("role", "img")
    root.set("aria-label", title)
    return ET.tostring(root, encoding="unicode")


def _drop(root: ET.Element, tags: set[str]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in tags:
                parent.remove(child)


def _short(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"
