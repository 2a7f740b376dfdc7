"""What a search page is asked, all of it in its URL: the question, how its chips were changed,
which page. Whom the user hid from its answers is kept in the workspace."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from api.desk import Desk
from sourcer.errors import BadInput
from sourcer.query import Filter, Query, Topic, read_query

PER_PAGE = 20
LONGEST = 2000
SORTS = ("match", "recent", "name")
REASONS = ("other-work", "known", "too-junior", "too-senior", "elsewhere")


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of results, as its URL says it.

    >>> Asked("moe kernels", after=20).url()
    '/search?q=moe+kernels&after=20'
    >>> Asked("moe", is_dense=True).url()
    '/search?q=moe&view=dense'
    """

    q: str = ""
    edit: str = ""
    """The query's parts as the chips left them, in compact JSON; empty: as the parser reads q."""
    after: int = 0
    is_dense: bool = False
    sort: str = SORTS[0]

    @classmethod
    def of(cls, params: QueryParams) -> Self:
        q = params.get("q", "").strip()
        if len(q) > LONGEST:
            raise BadInput(f"the question has {len(q)} characters; at most {LONGEST} are read")
        return cls(
            q=q,
            edit=params.get("edit", ""),
            after=_count(params.get("after", "0")),
            is_dense=params.get("view") == "dense",
            sort=params["sort"] if params.get("sort") in SORTS else SORTS[0],
        )

    @property
    def params(self) -> list[tuple[str, str]]:
        """Of the question alone, without place and looks."""
        found = [("q", self.q)]
        if self.edit:
            found.append(("edit", self.edit))
        return found

    def url(self, path: str = "/search") -> str:
        found = self.params
        if self.after:
            found.append(("after", str(self.after)))
        if self.is_dense:
            found.append(("view", "dense"))
        if self.sort != SORTS[0]:
            found.append(("sort", self.sort))
        return f"{path}?{urlencode(found)}"

    def link(self, path: str) -> str:
        """Another page about the same question."""
        return f"{path}?{urlencode(self.params)}"

    def query(self, desk: Desk) -> Query:
        """What is searched for: as parsed, or as the chips say."""
        return edited(desk.read(self.q) if self.q else Query(""), self.edit)

    def asking(self, query: Query) -> Self:
        """The same with another query, from its first page."""
        return replace(self, edit=compact(query), after=0)


def compact(query: Query) -> str:
    """What can be changed of a query, without what is usual.

    >>> compact(Query("moe in Poland", filters=(Filter("country", "=", "PL", span=(7, 13)),)))
    '{"filters":[{"field":"country","op":"=","value":"PL","span":[7,13]}]}'
    """
    said: dict[str, object] = {}
    if query.topics:
        said["topics"] = [_short(part) for part in query.topics]
    if query.filters:
        said["filters"] = [_short(part) for part in query.filters]
    if query.semantic:
        said["semantic"] = query.semantic
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def edited(parsed: Query, edit: str) -> Query:
    """A parsed question with its parts as `compact` wrote them.

    >>> parsed = Query("moe in Poland", filters=(Filter("country", "=", "PL", span=(7, 13)),))
    >>> edited(parsed, '{"filters":[]}').filters
    ()
    """
    if not edit:
        return parsed
    read = read_query(_with_text(edit, parsed.text))
    return replace(parsed, topics=read.topics, filters=read.filters, semantic=read.semantic)


def _with_text(edit: str, text: str) -> str:
    """The edit with the question that its spans lie in. Raises BadInput where it is no edit."""
    try:
        record = json.loads(edit)
    except (ValueError, RecursionError) as error:
        raise BadInput("the chips in this address cannot be read. Ask the question anew") from error
    return json.dumps({**record, "text": text} if isinstance(record, dict) else record)


def _short(part: Filter | Topic) -> Mapping[str, object]:
    usual = {"negated": False, "mode": "must", "span": None}
    return {
        key: value for key, value in part.json().items() if key not in usual or value != usual[key]
    }


def _count(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
