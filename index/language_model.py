"""A language model fills the Query that the parser filled: optional, and off until a URL is set.

Only the question goes out, with the words of refused traits blanked; what comes back is read by
`read_query`, so that it can hold nothing that the parser could not. Any fault leaves the parser's
reading, and the answer says so. It lives in index because sourcer knows no network and the faces
reach it here.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from sourcer.errors import BadInput
from sourcer.query import Leftover, Query, read_query
from sourcer.query.fields import FIELDS

KEY = "SOURCER_LLM_KEY"
_NO_KEY = "none"
"""Local servers ask for no key, but the protocol wants one."""
_FORM = """Read a recruiter's question about engineers and answer with one JSON object and no other
text: {{"text": the question unchanged, "topics": [], "filters": [{{"field", "op", "value",
"negated", "mode": "must" or "should", "span": null}}], "semantic": the words to search
by meaning}}. Only what the words carry becomes a filter. Today is {today}. Fields with their
operators: {fields}"""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An OpenAI-compatible endpoint."""

    url: str
    name: str
    key: str = ""
    seconds: float = 8.0
    """How long an answer may take in all."""

    @classmethod
    def of(cls, url: str, name: str, environment: Mapping[str, str]) -> "LanguageModel | None":
        """The endpoint that the settings name; its key comes from the environment only.

        >>> LanguageModel.of("", "", {}) is None
        True
        """
        return cls(url, name, environment.get(KEY, "")) if url and name else None


def reread(model: LanguageModel, parsed: Query, today: date) -> Query:
    """The question as the model reads it, or as parsed, saying why."""
    try:
        answer = _ask(model, without_traits(parsed), today)
        return _joined(parsed, read_query(answer))
    except ImportError:
        return _fallen_back(parsed, "its library is missing (pip install 'sourcer[llm]')")
    except TimeoutError:
        return _fallen_back(parsed, f"it gave no answer within {model.seconds:g} s")
    except BadInput as fault:
        return _fallen_back(parsed, f"its answer is not a query ({fault})")
    except Exception as fault:  # noqa: BLE001  whatever the endpoint does, the question is answered
        return _fallen_back(parsed, f"it failed ({type(fault).__name__})")


def without_traits(parsed: Query) -> str:
    """The question with refused words blanked, every other word where it stood.

    >>> from sourcer.query import parse
    >>> without_traits(parse("women on Triton", today=date(2026, 6, 15)))
    '      on Triton'
    """
    text = parsed.text
    for start, end in (refusal.span for refusal in parsed.refused):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _ask(model: LanguageModel, question: str, today: date) -> str:
    from openai import AsyncOpenAI
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async def answer() -> str:
        async with AsyncOpenAI(
            base_url=model.url, api_key=model.key or _NO_KEY, timeout=model.seconds, max_retries=0
        ) as client:
            chat = OpenAIChatModel(model.name, provider=OpenAIProvider(openai_client=client))
            agent = Agent(chat, instructions=_instructions(today), retries=0)
            return (await asyncio.wait_for(agent.run(question), model.seconds)).output

    return asyncio.run(answer())


def _instructions(today: date) -> str:
    fields = "; ".join(
        f"{name} ({' '.join(sorted(field.ops))}): {field.expects}" for name, field in FIELDS.items()
    )
    return _FORM.format(today=today.isoformat(), fields=fields)


def _joined(parsed: Query, filled: Query) -> Query:
    """The model's filters and meaning; topics, refusals and corrections stay the parser's."""
    filters = tuple(replace(one, span=None) for one in filled.filters)
    return replace(parsed, filters=filters, semantic=filled.semantic)


def _fallen_back(parsed: Query, why: str) -> Query:
    says = f"not used: {why}; the question was read by the built-in parser"
    return replace(parsed, leftover=(*parsed.leftover, Leftover("language model", (0, 0), says)))
