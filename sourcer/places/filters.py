"""Whether a place lies in another; None where what is declared is too wide to say."""

from sourcer.places.gazetteer import Place, regions
from sourcer.places.names import normalise


def within(place: Place, wanted: Place) -> bool | None:
    """Does `place` lie in `wanted`? None when it may or may not.

    >>> from sourcer.places.gazetteer import candidates
    >>> boston, texas, us, bay, europe = (
    ...     candidates(name)[0] for name in ("Boston", "Texas", "USA", "Bay Area", "Europe"))
    >>> within(boston, us), within(boston, texas), within(us, texas), within(bay, us)
    (True, False, None, True)
    >>> within(candidates("Palo Alto")[0], bay), within(candidates("Berlin")[0], europe)
    (True, True)
    >>> within(europe, candidates("Germany")[0]), within(europe, us)
    (None, False)
    """
    if wanted.kind == "region":
        return in_region(place, wanted.region or "")
    if place.country is None:
        return reaches(place.region or "", wanted.country)
    for mine, theirs in ((place.country, wanted.country), (place.admin1, wanted.admin1)):
        if theirs is not None and mine != theirs:
            return None if mine is None else False
    if wanted.city is not None:
        return same(place.city, wanted.city)
    return same(place.region, wanted.region) if wanted.kind in ("province", "district") else True


def reaches(region: str, country: str | None) -> bool | None:
    """A region never lies in a country, but may reach into it."""
    return None if country is None or (country, None) in regions().get(region, ()) else False


def same(mine: str | None, theirs: str | None) -> bool | None:
    if mine is None or theirs is None:
        return None
    return normalise(mine) == normalise(theirs)


def in_region(place: Place, region: str) -> bool | None:
    """
    >>> in_region(Place("country", "US"), "SF Bay Area") is None
    True
    """
    members = regions().get(region, frozenset())
    if place.region == region or (place.country, None) in members:
        return True
    if place.country is None:
        return region_in_region(regions().get(place.region or "", frozenset()), members)
    states = {where for where, city in members if city}
    if place.admin1 is None:
        return (
            None
            if any((where or "").startswith(place.country + "-") for where in states)
            else False
        )
    if place.admin1 not in states:
        return False
    return None if place.city is None else (place.admin1, place.city) in members


def region_in_region(mine: frozenset[object], theirs: frozenset[object]) -> bool | None:
    if not mine or not theirs:
        return None
    return True if mine <= theirs else None if mine & theirs else False
