"""sourcer pool, sourcer screening: how many there are, and what to ask one of them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from sourcer.cli.asking import opened, understood
from sourcer.cli.options import HERE, AsJson, Data, Question

USUAL = ("lane", "employer", "country", "tenure")


def pool(
    question: Question,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DIMENSION",
            help="lane, employer, school, country, state, city, seniority, artifacts, open, tenure,"
            " topic, repo or quarter; several times for several slices.",
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(metavar="QUESTION", help="A second pool: side by side, and who is in both."),
    ] = None,
    titles: Annotated[
        str | None,
        typer.Option(
            metavar="BOOLEAN",
            help="The title-only search of the report: AND, OR, NOT, quotes, parentheses.",
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Titles against artifacts, with how each was counted.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the charts there as SVG.")
    ] = None,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Say how many people there are for a question: the funnel by its words, then slices.

    [dim]sourcer pool "MoE kernels in the US, senior or above" --by employer --by quarter

    sourcer pool "KDA" --report --titles '"inference engineer" AND (vLLM OR CUDA)'[/dim]
    """
    from index.pool import Pools
    from sourcer import settings
    from sourcer.cli.pool_printing import Answer, printed
    from sourcer.lanes.file import lanes

    with opened(data) as searcher:
        pools = Pools(searcher, lanes(settings.read(data), searcher.taxonomy))
        query = understood(data, " ".join(question))
        dimensions = tuple(by or USUAL)
        answer = Answer(
            dimensions,
            pools.of(query),
            pools.by_lane(query) if "lane" in dimensions else (),
            pools.of(understood(data, beside)) if beside else None,
            pools.report(query, titles) if report or titles is not None else None,
        )
    if svg is not None:
        answer.draw(svg)
    if as_json:
        print(json.dumps(answer.json(), ensure_ascii=False, indent=2))
    else:
        printed(answer)


def screening(
    login: Annotated[str, typer.Argument(metavar="LOGIN|ID", help="Whom to interview.")],
    topic: Annotated[str, typer.Option(metavar="TOPIC", help="A topic id, such as kv-transfer.")],
    markdown: Annotated[
        bool, typer.Option("--markdown", help="A page for the interviewer, as Markdown.")
    ] = False,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Ask what separates those who built it from those who read of it, from their own commits.

    [dim]sourcer screening some-login --topic hybrid-prefix-caching --markdown > questions.md[/dim]
    """
    from index.own_work import screening as screened
    from sourcer import settings
    from sourcer.screening import as_markdown, chosen

    with opened(data) as searcher:
        held = chosen(settings.read(data), searcher.taxonomy)
        asked = screened(searcher, login, topic, held)
        person = searcher.details.shown(searcher.details.person(login) or 0)
    if as_json:
        facts = {"person": person.id, "topic": topic, "questions": [one.json() for one in asked]}
        print(json.dumps(facts, ensure_ascii=False, indent=2))
    elif markdown:
        print(as_markdown(person.name, held.taxonomy[topic].name, asked))
    else:
        for number, one in enumerate(asked, start=1):
            print(f"{number}. {one.says}\n")
            for mark, texts in (("+", one.good), ("-", one.weak)):
                print("\n".join(f"   {mark} {text}" for text in texts))
            print()
