"""The conditions that a place makes: a country, a state, a city, an area."""

from dataclasses import replace

from sourcer.places import Place, normalise
from sourcer.query.board import Condition

_CITY_STATES = frozenset({"SG", "HK", "MO", "MC"})


def place_conditions(place: Place, value: str, inside: str | None) -> tuple[Condition, ...]:
    if place.country is None:
        return (("region", "=", "EU" if value == "EU" else place.region or ""),)
    country: Condition = ("country", "=", place.country)
    if place.kind == "region":
        return (("location", "in", f"{place.admin1 or place.country}:{place.region}"),)
    if place.kind == "country" or place.country in _CITY_STATES:
        return (country,)
    if place.kind == "state" and place.admin1:
        return (country, ("admin1", "=", place.admin1))
    if place.city is None:
        return (country, ("region", "=", place.region or ""))
    return _city_conditions(place, country, ("city", "=", place.city), inside)


def _city_conditions(
    place: Place, country: Condition, city: Condition, inside: str | None
) -> tuple[Condition, ...]:
    """Profiles name states reliably and suburbs not: a city said with its state binds by state."""
    if inside != "state":
        return (country, city) if inside else (city,)
    admin1: Condition = ("admin1", "=", place.admin1 or "")
    return (country, admin1) if place.country == "US" else (country,)


def as_said(city: str, said: str) -> str:
    """A city's name without its accents where the question has none.

    >>> as_said("Montréal", "Montreal"), as_said("Bengaluru", "Bangalore")
    ('Montreal', 'Bengaluru')
    """
    return (
        said.title()
        if said.isascii() and not city.isascii() and normalise(said) == normalise(city)
        else city
    )


def as_shown(place: Place, said: str) -> Place:
    if place.country in _CITY_STATES:
        return replace(place, city=None)
    return replace(place, city=as_said(place.city, said)) if place.city else place
