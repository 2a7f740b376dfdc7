"""Every page on the sample: whole, safe, and without an email."""

import re
import shutil
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest

from api.pages.sending import stretches_of
from sourcer.store import open_readonly
from tests.api_world import PASSWORD, World

QUESTION = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism,"
    " or PD disaggregation, senior or above, open to talking"
)
HTML = {"accept": "text/html"}
ASKED = f"/search?{urlencode({'q': QUESTION})}"
PAGES = (
    "/",
    ASKED,
    f"/search/slices?{urlencode({'q': QUESTION})}",
    f"/pool?{urlencode({'q': QUESTION})}",
    "/graph",
    "/graph?topic=moe&size=150",
    "/shortlists",
    "/searches",
    f"/searches/new?{urlencode({'q': QUESTION})}",
    "/imports",
    "/imports/queue",
    "/admin",
    "/admin/topics",
    "/admin/audit",
    "/admin/runs",
    "/admin/retention",
    "/admin/exposure",
    "/admin/alerts",
    "/notices?who=all",
    "/login",
    f"/export/people?{urlencode({'q': QUESTION})}",
)


class Tags(HTMLParser):
    """The start tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def page(world: World, path: str, status: int = 200) -> str:
    answer = world.client.get(path, headers=HTML)
    assert answer.status_code == status, answer.text[:500]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return answer.text


def person_of(world: World) -> str:
    """The page of the first of the results."""
    found = re.search(r'<h2 id="n-[^"]+"><a href="([^"]+)"', page(world, ASKED))
    assert found
    return found.group(1).replace("&amp;", "&")


@pytest.fixture(scope="module")
def emails(shared: World) -> list[str]:
    """Every email of the sample."""
    with open_readonly(shared.data / "current" / "graph.duckdb") as db:
        rows = db.execute("select distinct email from signatures").fetchall()
    return [email for (email,) in rows if "@" in email]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_and_shows_no_email(shared: World, emails: list[str], path: str) -> None:
    text = page(shared, path)
    assert text.rstrip().endswith("</html>")
    shown = text.casefold()
    assert [email for email in emails if email.casefold() in shown] == []
    tags = Tags(text)
    assert len(tags.all("h1")) == 1 or "slices" in path
    ids = [each["id"] for _, each in tags.found if each.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", PAGES)
def test_nothing_inline_and_nothing_from_elsewhere(shared: World, path: str) -> None:
    tags = Tags(page(shared, path)).found
    assert [each for _, each in tags if "style" in each] == []
    assert [each for _, each in tags for name in each if name.startswith("on")] == []
    sources = [each["src"] for tag, each in tags if tag in ("script", "img")]
    sources += [each["href"] for tag, each in tags if tag == "link"]
    assert [each for each in sources if not (each or "").startswith("/static/")] == []


@pytest.mark.parametrize("path", PAGES)
def test_every_form_that_changes_something_has_its_secret(shared: World, path: str) -> None:
    text = page(shared, path)
    posts = re.findall(r'<form[^>]*method="post".*?</form>', text, flags=re.S)
    assert [each[:80] for each in posts if 'name="form_secret"' not in each] == []


def test_headers_keep_a_page_to_itself(shared: World) -> None:
    headers = shared.client.get("/", headers=HTML).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "private, no-cache"


def test_style_and_script_are_kept_for_good(shared: World) -> None:
    answer = shared.client.get("/static/app.css")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/css")


def test_a_form_without_its_secret_changes_nothing(fresh: World) -> None:
    answer = fresh.client.post("/shortlists", data={"name": "x"}, headers=HTML)
    assert answer.status_code == 403
    assert "Not allowed" in answer.text
    assert "No shortlist yet" in page(fresh, "/shortlists")


def test_a_contributor_called_script_is_only_a_name(shared: World) -> None:
    people = shared.app.state.desk.snapshots.current().known.people
    names = [name for name in people["name"].to_pylist() if "<script" in name]
    assert names, "the sample should hold one"
    id_ = people["id"].to_pylist()[people["name"].to_pylist().index(names[0])]
    text = page(shared, f"/people/{id_}")
    assert names[0] not in text
    assert "&lt;script" in text
    for script in Tags(text).all("script"):
        assert (script["src"] or "").startswith("/static/")


def test_a_question_with_markup_is_only_text(shared: World) -> None:
    text = page(shared, "/search?q=%3Cscript%3Ealert(1)%3C/script%3E+moe")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_what_is_not_there_is_said_in_a_page_and_the_api_still_speaks_json(shared: World) -> None:
    assert "There is no such page" in page(shared, "/nowhere", 404)
    assert "Not here" in page(shared, "/people/nobody-at-all", 404)
    problem = shared.client.get("/api/v1/nowhere", headers=HTML)
    assert problem.headers["content-type"] == "application/problem+json"


def test_before_anything_is_published_the_first_page_says_how_to_begin(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fresh.data / "current").unlink()
    shutil.rmtree(fresh.data / "snapshots")
    fresh.app.state.desk.snapshots._now = None
    assert "sourcer demo" in page(fresh, "/")
    assert "Nothing to answer with yet" in page(fresh, ASKED, 503)


def test_who_may_come_in(guarded: World) -> None:
    client = guarded.client
    answer = client.get(ASKED, headers=HTML, follow_redirects=False)
    assert answer.headers["location"].startswith("/login?next=%2Fsearch")
    text = page(guarded, "/login?next=//evil.example")
    assert 'name="next" value="/"' in text
    secret = Tags(text).all("input")[0]["value"]
    said = {"form_secret": secret, "name": "vera", "password": "wrong", "next": "/shortlists"}
    assert client.post("/login", data=said, headers=HTML).status_code == 401
    answer = client.post("/login", data={**said, "password": PASSWORD}, headers=HTML)
    assert answer.url.path == "/shortlists"
    assert client.get("/admin", headers=HTML).status_code == 403
    assert client.get("/shortlists", headers=HTML).status_code == 200


def test_a_page_that_breaks_off_says_so(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(pieces: Iterable[str]) -> Iterator[bytes]:
        yield next(stretches_of(pieces))
        raise RuntimeError("a template failed below the first screen")

    monkeypatch.setattr("api.pages.site.stretches_of", breaking)
    text = page(shared, ASKED)
    assert 'class="entry' in text
    assert text.endswith(
        '<p class="notice" role="alert">Something of ours failed here: '
        "the rest of this page is missing. Load it again.</p>"
    )
