"""In blind mode nothing tells who people are, or where, until they are shortlisted."""

import io
import json
import re
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest

from api.exports import FORMATS
from api.serving import Serving
from sourcer.workspace.actors import Role
from sourcer.workspace.tokens import Scope
from tests.api_world import World, data_like, world
from tests.test_pages import ASKED, HTML, QUESTION
from tests.test_pages_acts import sent


@pytest.fixture
def blind(sample_data: Path, tmp_path: Path):
    """An installation where everybody is blind."""
    with world(data_like(sample_data, tmp_path / "data"), blind=1) as made:
        yield made


def who_is_who(world: World) -> dict[str, set[str]]:
    """People who answer the question, each with what tells who they are."""
    with world_of_sight(world) as seeing:
        found = seeing.get("/search", q=QUESTION, limit=20)["entries"]
    return {one["person"]["id"]: set(telling(one["person"])) for one in found}


def world_of_sight(blinded: World):
    return world(blinded.data)


def telling(person: dict[str, object]) -> list[str]:
    declared = [person["location"], person["employer"]]
    places = [str(one["value"]) for one in declared if isinstance(one, dict)]
    places = [one for one in places if " " in one]  # a single word may stand in a subject
    return [str(person["name"]), *map(str, person["aliases"]), *map(str, person["logins"]), *places]  # type: ignore[call-overload]


def text_of(body: bytes) -> str:
    if body.startswith(b"PK"):
        with ZipFile(io.BytesIO(body)) as book:
            return "\n".join(book.read(name).decode("utf-8", "replace") for name in book.namelist())
    return body.decode("utf-8", "replace")


def in_list(text: str) -> str:
    """A page without the question and its reading, in which the user named places."""
    return text.partition('<ol class="people"')[2].partition("</ol>\n  </form>")[0] or text


def test_no_face_tells_who_anybody_is(blind: World) -> None:
    known = who_is_who(blind)
    some = list(known)[:3]
    asked = urlencode({"q": "moe kernels"})
    paths = [
        f"/api/v1/search?{asked}&limit=100", "/api/v1/search/export?q=moe&format=csv",
        *(f"/api/v1/search/export?q=moe&format={name}" for name in FORMATS),
        *(f"/api/v1/people/{id_}{rest}" for id_ in some
          for rest in ("", "/similar", "/commits", "/screening?topic=moe")),
        f"/search?{asked}", f"/export/people?{asked}", "/graph?size=150",
        f"/compare?{asked}&id={some[0]}&id={some[1]}",
        *(f"/people/{id_}?{asked}" for id_ in some),
    ]  # fmt: skip
    names = {word for words in known.values() for word in words if len(word) > 4}
    for path in paths:
        answer = blind.client.get(path, headers=HTML if not path.startswith("/api") else {})
        assert answer.status_code == 200, path
        shown = in_list(text_of(answer.content))
        people = [word for word in names if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown)]
        assert people == [], path


def test_who_is_shortlisted_is_shown(blind: World) -> None:
    known = who_is_who(blind)
    first, second = list(known)[:2]
    with world_of_sight(blind) as seeing:
        name = seeing.get(f"/people/{first}")["person"]["name"]
    assert name not in blind.client.get(ASKED, headers=HTML).text
    sent(blind, ASKED, "/shortlists/add", id=[first], slug="", back="/shortlists")
    assert name in blind.client.get(ASKED, headers=HTML).text
    assert blind.get(f"/people/{first}")["person"]["name"] == name
    assert blind.get(f"/people/{second}")["person"]["name"] == f"Person {second[1:6]}"


def test_each_may_choose_to_be_blind(fresh: World) -> None:
    name = fresh.get("/search", q=QUESTION)["entries"][0]["person"]["name"]
    assert name in fresh.client.get(ASKED, headers=HTML).text
    sent(fresh, ASKED, "/look", blind="1", language="en", back=ASKED)
    assert name not in fresh.client.get(ASKED, headers=HTML).text
    sent(fresh, ASKED, "/look", language="en", back=ASKED)
    assert name in fresh.client.get(ASKED, headers=HTML).text
    covered = fresh.get("/search", q=QUESTION, blind=True)
    assert name not in json.dumps(covered["entries"])


def test_a_pool_names_no_employer_or_place_that_few_have(blind: World) -> None:
    told = blind.get("/pool", q="moe kernels", by=["employer", "city", "topic"])
    employers, cities, topics = told["slices"]
    with world_of_sight(blind) as seeing:
        seen = seeing.get("/pool", q="moe kernels", by=["employer", "city", "topic"])["slices"]
    assert any(row["people"] < 5 for row in seen[0]["rows"])
    for told_of in (employers, cities):
        assert all(row["people"] >= 5 for row in told_of["rows"])
    assert topics == seen[2]
    page = blind.client.get(f"/pool?{urlencode({'q': 'moe kernels'})}", headers=HTML).text
    few = {row["value"] for row in seen[0]["rows"] if row["people"] < 5}
    assert [name for name in few if f">{name}<" in page] == []


def test_only_an_admin_decides_on_links(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    with world(data, Serving(accounts=True), blind=1) as made:
        made.user("ida", Role.RECRUITER)
        made.user("ada", Role.ADMIN)
        for name, scope, status in (("ida", Scope.WRITE, 403), ("ada", Scope.ADMIN, 200)):
            answer = made.client.get("/api/v1/imports/queue", headers=made.token(name, scope))
            assert answer.status_code == status


def test_the_link_queue_is_closed_to_whoever_chose_to_be_blind(fresh: World) -> None:
    assert fresh.client.get("/imports/queue", headers=HTML).status_code == 200
    sent(fresh, "/", "/look", blind="1", language="en", back="/")
    answer = fresh.client.get("/imports/queue", headers=HTML)
    assert answer.status_code == 403
    assert "stays closed while you are blind" in answer.text
