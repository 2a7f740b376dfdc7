"""The canonical form: what it refuses, and with which words."""

import json

import pytest

from sourcer.errors import BadInput
from sourcer.query import Filter, Query, Refusal, Topic, read_query
from sourcer.titles import Seniority


def with_filter(**change: object) -> str:
    row = {"field": "country", "op": "=", "value": "PL", "negated": False, "mode": "must"}
    return json.dumps({"text": "in Poland", "filters": [{**row, **change}]})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "query: list is not an object with keys like 'text'"),
        ('{"text": 3}', "query: text 3 is not a str"),
        ('{"words": ""}', "query: key 'words' is not one of text, topics, filters, semantic, "),
        ('{"filters": {}}', "query filters: {} is not a list"),
        ('{"filters": [3]}', "query filters[0]: 3 is not an object"),
        (with_filter(field="colour"), "filter field 'colour' is not one of activity, admin1, "),
        (with_filter(op="~"), "filter country: op '~' is not one of =, in"),
        (with_filter(value="Poland"), "value 'Poland' is not an ISO 3166 code like DE"),
        (with_filter(value=None), "query filters[0]: key 'value' is missing"),
        (with_filter(op="in", value=[]), "filter country: value () is not a list, each an ISO"),
        (with_filter(mode="maybe"), "query filters[0]: mode 'maybe' is not must or should"),
        (with_filter(negated="yes"), "query filters[0]: negated 'yes' is not a bool"),
        (with_filter(span=[1]), "query filters[0]: span [1] is not [start, end]"),
        (with_filter(span=[3, 99]), "span [3, 99] lies outside the text of 9 characters"),
        ('{"refused": [{"trait": "age", "why": ""}]}', "query refused[0]: key 'span' is missing"),
    ],
)
def test_a_fault_is_named_by_key_value_and_expectation(text: str, says: str) -> None:
    with pytest.raises(BadInput) as error:
        read_query(text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("field", "op", "value"),
    [
        ("window", "between", ("2025-02-30", None)),
        ("window", "between", (None, None)),
        ("window", "between", ("2025-06-01", "2025-01-01")),
        ("seniority", ">=", "wizard"),
        ("commits", ">=", True),
        ("commits", ">=", -1),
        ("hireable", "=", 1),
        ("activity", "in", ("author", "reader")),
        ("path", "under", ()),
        ("company", "=", "  "),
    ],
)
def test_a_filter_that_means_nothing_is_refused(field: str, op: str, value: object) -> None:
    with pytest.raises(BadInput, match=f"filter {field}: value "):
        Filter(field, op, value)  # type: ignore[arg-type]


def test_every_level_that_a_title_can_state_can_be_filtered_on() -> None:
    """The pool showed founders, and its bars could not be made."""
    for level in Seniority:
        assert Filter("seniority", "=", level.value).value == level


def test_the_json_has_the_shape_that_all_faces_share() -> None:
    query = Query(
        "moe, no women, in Poland",
        topics=(Topic("moe", span=(0, 3)),),
        filters=(Filter("country", "=", "PL", span=(18, 24)),),
        semantic="moe",
        refused=(Refusal("gender", (8, 13), "never"),),
    )
    assert json.loads(query.to_json()) == {
        "text": "moe, no women, in Poland",
        "topics": [{"id": "moe", "negated": False, "mode": "must", "span": [0, 3]}],
        "filters": [
            {
                "field": "country",
                "op": "=",
                "value": "PL",
                "negated": False,
                "mode": "must",
                "span": [18, 24],
            }
        ],
        "semantic": "moe",
        "corrected": [],
        "ambiguous": [],
        "leftover": [],
        "refused": [{"trait": "gender", "span": [8, 13], "why": "never"}],
    }


def test_a_filter_added_by_hand_needs_no_span() -> None:
    assert read_query(with_filter()).filters == (Filter("country", "=", "PL"),)
