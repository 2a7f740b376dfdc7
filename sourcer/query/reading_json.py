"""The canonical JSON of a Query read back, with every fault named by its key."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TypeVar, cast

from sourcer.errors import BadInput
from sourcer.query.fields import Value
from sourcer.query.parts import (
    Ambiguity,
    Correction,
    Filter,
    Leftover,
    Mode,
    Query,
    Refusal,
    Span,
    Topic,
)  # fmt: skip

Record = Mapping[str, object]
T = TypeVar("T")
S = TypeVar("S", str, bool)


KEYS = tuple(field.name for field in fields(Query))


def read_query(text: str) -> Query:
    """A Query from its JSON; what `Query.to_json` wrote comes back equal.

    >>> q = Query("moe in Poland", filters=(Filter("country", "=", "PL", span=(7, 13)),))
    >>> read_query(q.to_json()) == q
    True
    >>> read_query('{"text": "moe", "filters": [{"field": "pull", "op": "="}]}')
    Traceback (most recent call last):
    sourcer.errors.BadInput: query filters[0]: key 'value' is missing
    """
    record = _record(text)
    return Query(
        text=_of(record, "text", str, "query", ""),
        topics=_list(record, "topics", _topic),
        filters=_list(record, "filters", _filter),
        semantic=_of(record, "semantic", str, "query", ""),
        corrected=_list(record, "corrected", _correction),
        ambiguous=_list(record, "ambiguous", _ambiguity),
        leftover=_list(record, "leftover", _leftover),
        refused=_list(record, "refused", _refusal),
    )


def _record(text: str) -> Record:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"query: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BadInput(f"query: {type(record).__name__} is not an object with keys like 'text'")
    _refuse_unknown(record)
    return record


def _refuse_unknown(record: Record) -> None:
    unknown = set(record) - set(KEYS)
    if unknown:
        raise BadInput(f"query: key {min(unknown)!r} is not one of {', '.join(KEYS)}")


def _list(record: Record, key: str, read: Callable[[Record, str], T]) -> tuple[T, ...]:
    rows = record.get(key, [])
    if not isinstance(rows, list):
        raise BadInput(f"query {key}: {rows!r} is not a list")
    return tuple(_row(row, f"query {key}[{i}]", read) for i, row in enumerate(rows))


def _row(row: object, where: str, read: Callable[[Record, str], T]) -> T:
    if not isinstance(row, dict):
        raise BadInput(f"{where}: {row!r} is not an object")
    return read(row, where)


def _of(record: Record, key: str, kind: type[S], where: str, default: S | None = None) -> S:
    value = record.get(key, default)
    if value is None:
        raise BadInput(f"{where}: key {key!r} is missing")
    if not isinstance(value, kind):
        raise BadInput(f"{where}: {key} {value!r} is not a {kind.__name__}")
    return value


def _span(record: Record, where: str) -> Span | None:
    span = record.get("span")
    if span is None:
        return None
    if isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span):
        return (span[0], span[1])
    raise BadInput(f"{where}: span {span!r} is not [start, end]")


def _needed_span(record: Record, where: str) -> Span:
    span = _span(record, where)
    if span is None:
        raise BadInput(f"{where}: key 'span' is missing")
    return span


def _mode(record: Record, where: str) -> Mode:
    try:
        return Mode(_of(record, "mode", str, where, "must"))
    except ValueError as error:
        raise BadInput(f"{where}: mode {record['mode']!r} is not must or should") from error


def _value(record: Record, where: str) -> Value:
    value = record.get("value")
    if value is None:
        raise BadInput(f"{where}: key 'value' is missing")
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str | int | bool):
        return value
    raise BadInput(f"{where}: value {value!r} is not text, a number, true, false or a list")


def _filter(record: Record, where: str) -> Filter:
    return Filter(
        _of(record, "field", str, where),
        _of(record, "op", str, where),
        _value(record, where),
        _of(record, "negated", bool, where, False),
        _mode(record, where),
        _span(record, where),
    )


def _topic(record: Record, where: str) -> Topic:
    negated = _of(record, "negated", bool, where, False)
    return Topic(_of(record, "id", str, where), negated, _mode(record, where), _span(record, where))


def _correction(record: Record, where: str) -> Correction:
    found, read_as = _of(record, "found", str, where), _of(record, "read_as", str, where)
    says, applied = _of(record, "says", str, where), _of(record, "applied", bool, where, True)
    return Correction(found, read_as, _needed_span(record, where), says, applied)


def _ambiguity(record: Record, where: str) -> Ambiguity:
    readings = record.get("readings", [])
    if not (isinstance(readings, list) and all(isinstance(one, str) for one in readings)):
        raise BadInput(f"{where}: readings {readings!r} is not a list of texts")
    read_as = record.get("read_as")
    if read_as is not None and not isinstance(read_as, str):
        raise BadInput(f"{where}: read_as {read_as!r} is not text or null")
    text = _of(record, "text", str, where)
    return Ambiguity(text, _needed_span(record, where), tuple(cast(list[str], readings)), read_as)


def _leftover(record: Record, where: str) -> Leftover:
    text, why = _of(record, "text", str, where), _of(record, "why", str, where)
    return Leftover(text, _needed_span(record, where), why)


def _refusal(record: Record, where: str) -> Refusal:
    trait, why = _of(record, "trait", str, where), _of(record, "why", str, where)
    return Refusal(trait, _needed_span(record, where), why)
