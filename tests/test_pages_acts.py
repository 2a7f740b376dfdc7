"""What a recruiter does, through the pages' own forms."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2

from api.serving import Serving
from sourcer.cli.serving import doing
from sourcer.workspace import audit
from sourcer.workspace.actors import LOCAL
from tests.api_world import PASSWORD, World, data_like, world
from tests.test_pages import ASKED, HTML, QUESTION, page, person_of


def sent(world: World, on: str, to: str, /, **fields: object) -> httpx2.Response:
    """A form of one page, sent to an address, with the secret that the page gave it."""
    found = re.search(r'name="form_secret" value="([0-9a-f]+)"', page(world, on))
    assert found, f"{on} has no form"
    data = {"form_secret": found.group(1), **fields}
    return world.client.post(to, data=data, headers=HTML)


def first_two(world: World) -> list[str]:
    return re.findall(r'name="id" value="([^"]+)"', page(world, ASKED))[:2]


def test_a_chip_bends_the_question_and_the_url_holds_it(shared: World) -> None:
    asked = {"q": QUESTION, "edit": "", "do": "not:f0"}
    answer = shared.client.get("/search", params=asked, headers=HTML)
    params = parse_qs(urlsplit(str(answer.url)).query)
    assert params["q"] == [QUESTION]
    assert '"field":"country","op":"=","value":"US","negated":true' in params["edit"][0]
    assert '<details class="chip not"' in answer.text
    assert "As first read" in answer.text


def test_a_chip_that_makes_no_sense_is_refused_with_a_reason(shared: World) -> None:
    asked = {"q": QUESTION, "do": "add:", "field": "country", "value": "Atlantis"}
    text = shared.client.get("/search", params=asked, headers=HTML).text
    assert "is not an ISO 3166 code like DE" in text
    assert "Read as" in text


def test_a_company_of_a_chip_is_called_by_its_name(shared: World) -> None:
    text = page(shared, f"/search?{urlencode({'q': 'moe kernels, not at nvidia or red hat'})}")
    assert "at NVIDIA or Red Hat" in text


def test_results_are_sorted_by_name(shared: World) -> None:
    text = page(shared, f"{ASKED}&sort=name")
    names = re.findall(r'<h2 id="n-[^"]+"><a [^>]*>([^<]+)</a>', text)
    assert len(names) == 20
    assert names == sorted(names, key=str.casefold)
    assert "From here on" not in text


def test_tokens_are_made_shown_once_and_revoked(guarded: World) -> None:
    said = {"name": "ada", "password": PASSWORD, "next": "/admin"}
    sent(guarded, "/login", "/login", **said)
    made = sent(guarded, "/admin", "/admin/tokens", label="script", scope="read")
    secret = re.search(r"<pre>(\S+)</pre>", made.text)
    assert secret
    bearer = {"Authorization": f"Bearer {secret.group(1)}"}
    assert guarded.client.get("/api/v1/status", headers=bearer).status_code == 200
    assert secret.group(1) not in page(guarded, "/admin")
    revoke = re.search(r'action="(/admin/tokens/\d+)"', page(guarded, "/admin"))
    assert revoke
    assert "Token revoked." in sent(guarded, "/admin", revoke.group(1)).text
    guarded.client.cookies.clear()
    assert guarded.client.get("/api/v1/status", headers=bearer).status_code == 401


def logged_in(world: World, name: str) -> None:
    world.client.cookies.clear()
    sent(world, "/login", "/login", name=name, password=PASSWORD, next="/")


def test_nobody_is_offered_what_they_may_not_do(guarded: World) -> None:
    offers = ('href="/admin"', 'href="/imports"', 'data-key="shortlist"', ">Export</button>")
    for name, count in (("ada", 4), ("ida", 3), ("vera", 0)):
        logged_in(guarded, name)
        text = page(guarded, ASKED)
        assert sum(offer in text for offer in offers) == count, name


def test_a_mention_waits_for_whom_it_names(guarded: World) -> None:
    logged_in(guarded, "ida")
    person = first_two(guarded)[0]
    path = str(sent(guarded, "/shortlists", "/shortlists", name="Kernel people").url.path)
    sent(guarded, path, "/shortlists/add", only=person, slug=path.rpartition("/")[2])
    written = sent(guarded, path, f"{path}/note", person=person, text="@jon and @joan, call?")
    assert "jon will find it under Shortlists. No user is called @joan." in written.text
    logged_in(guarded, "jon")
    assert "You are mentioned in 1 note" in page(guarded, "/")
    assert f'<a href="/people/{person}">' in page(guarded, "/shortlists")
    assert "You are mentioned" not in page(guarded, "/")


def test_access_is_taken_and_given_back(guarded: World) -> None:
    logged_in(guarded, "ada")
    assert "Give access back" in sent(guarded, "/admin", "/admin/users/jon", disable="yes").text
    assert "Give access back" not in sent(guarded, "/admin", "/admin/users/jon", enable="yes").text
    logged_in(guarded, "jon")
    assert "Log out jon" in page(guarded, "/")


def test_somebody_hidden_stays_hidden_from_that_question_until_shown(fresh: World) -> None:
    first, second = first_two(fresh)
    asked = {"q": QUESTION, "hide": f"{first}:known", "back": ASKED}
    answer = sent(fresh, ASKED, "/search/hide", **asked)
    assert f'value="{first}" aria-label' not in answer.text
    assert "we know them already" in answer.text
    undo = re.search(r'action="(/search/show[^"]+)"', answer.text)
    assert undo
    later = page(fresh, f"/search?{urlencode({'q': QUESTION.upper()})}")
    assert first_two(fresh)[0] == second
    assert f'value="{first}" aria-label' not in later
    sent(fresh, ASKED, unescape(undo.group(1)), back=ASKED)
    assert first_two(fresh) == [first, second]


def test_whom_one_user_hid_another_sees(guarded: World) -> None:
    def logged_in(name: str) -> None:
        guarded.client.cookies.clear()
        sent(guarded, "/login", "/login", name=name, password=PASSWORD, next="/")

    logged_in("ida")
    first = first_two(guarded)[0]
    sent(guarded, ASKED, "/search/hide", q=QUESTION, hide=f"{first}:known", back=ASKED)
    assert first not in first_two(guarded)
    logged_in("jon")
    assert first_two(guarded)[0] == first


def test_hidden_people_do_not_shift_the_pages(fresh: World) -> None:
    def ids(path: str) -> list[str]:
        return re.findall(r'name="id" value="([^"]+)"', page(fresh, path))

    before = ids(ASKED) + ids(f"{ASKED}&after=20")
    sent(fresh, ASKED, "/search/hide", q=QUESTION, hide=f"{before[3]}:known", back=ASKED)
    text = page(fresh, ASKED)
    following = re.search(r'href="([^"]+)" rel="next"', text)
    assert following
    after = ids(ASKED) + ids(unescape(following.group(1)))
    assert after[: len(before) - 1] == [one for one in before if one != before[3]]


def test_shortlisting_and_taking_it_back(fresh: World) -> None:
    people = first_two(fresh)
    answer = sent(fresh, ASKED, "/shortlists/add", id=people, slug="", back="/shortlists")
    assert answer.url.path == "/shortlists"
    assert "2 people added to Shortlist." in answer.text
    undo = re.search(r'action="(/shortlists/\w+/undo)"', answer.text)
    assert undo
    slug = undo.group(1).split("/")[2]
    sent(fresh, "/shortlists", undo.group(1))
    assert page(fresh, f"/shortlists/{slug}").count('class="card"') == 1


def test_a_shortlist_is_worked_with(fresh: World) -> None:
    person = first_two(fresh)[0]
    sent(fresh, "/shortlists", "/shortlists", name="Kernel people")
    slug = re.findall(r'href="/shortlists/(\w+)"', page(fresh, "/shortlists"))[0]
    path = f"/shortlists/{slug}"
    sent(fresh, ASKED, "/shortlists/add", only=person, slug=slug)
    sent(fresh, path, f"{path}/stage", person=person, stage="contacted")
    sent(fresh, path, f"{path}/note", person=person, text="met at a meetup, @ida")
    sent(fresh, path, f"{path}/reason", person=person, reason="wrote the kernel")
    for text in (page(fresh, path), page(fresh, f"{path}?view=table")):
        assert "met at a meetup, @ida" in text
        assert "wrote the kernel" in text
        assert '<option value="contacted" selected>' in text
    assert "met at a meetup" in page(fresh, f"/people/{person}")
    history = page(fresh, path).partition("Every change")[2]
    name = re.search(r'<h3><a href="[^"]+">([^<]+)</a>', page(fresh, path))
    assert name
    assert f"<b>{name.group(1)}</b>: stage changed: Contacted" in history
    fresh.app.state.desk.auditing.flush()
    here = page(fresh, f"/people/{person}").partition("What was done here")[2]
    assert "Kernel people: stage changed: Contacted" in here
    assert "page opened 1 time" in here
    sent(fresh, path, f"{path}/remove", person=person)
    assert "Nobody is on it yet" in page(fresh, path)
    answer = sent(fresh, path, f"{path}/delete")
    assert "No shortlist yet" in answer.text
    sent(fresh, "/shortlists", f"{path}/recover")
    assert "Kernel people" in page(fresh, path)


def test_comparing_needs_two_and_shows_both(shared: World) -> None:
    people = first_two(shared)
    answer = sent(shared, ASKED, "/compare", id=people, q=QUESTION)
    assert answer.url.path == "/compare"
    assert "form_secret" not in str(answer.url)
    assert answer.text.count('scope="col"') == 2
    assert '<th class="line" scope="rowgroup" colspan="2">Topic fit</th>' in answer.text
    assert "topic fit" not in answer.text
    alone = sent(shared, ASKED, "/compare", id=people[:1], q=QUESTION)
    assert "Comparing takes 2 to 4 people." in alone.text


def test_an_export_is_shown_before_it_goes_out_and_is_audited(fresh: World) -> None:
    people = first_two(fresh)
    answer = sent(fresh, ASKED, "/export/people", id=people, q=QUESTION)
    assert "2 people would go out" in answer.text
    commit = re.search(r'title="[\w.-]+/([\w.-]+@(\w{9}))\w{31}"[^>]*>([^<]+)<', answer.text)
    assert commit
    assert commit.group(3) == commit.group(1)
    file = fresh.client.get(f"{answer.url}&format=csv")
    assert file.headers["content-disposition"].startswith("attachment")
    assert len(file.text.strip().split("\r\n")) == 3 or file.text.count(people[1]) == 1
    with fresh.app.state.desk.workspace.reading() as session:
        rows = [row for row in audit.entries(session, LOCAL) if row.action == "exported"]
    assert [row.details["shown"] for row in rows if row.details] == [people]


def test_a_search_is_saved_renamed_and_brought_back(fresh: World) -> None:
    answer = sent(fresh, ASKED, "/searches", q=QUESTION, edit="", name="MoE in the US")
    path = answer.url.path
    assert "MoE in the US saved." in answer.text
    assert "Not checked yet" in answer.text
    sent(fresh, path, f"{path}/change", name="MoE", note="weekly", private="yes")
    assert "private" in page(fresh, "/searches")
    sent(fresh, path, f"{path}/delete")
    assert "No saved search yet" in page(fresh, "/searches")
    sent(fresh, "/shortlists", f"{path}/recover")
    assert "weekly" in page(fresh, path)


def test_two_people_are_merged_and_the_decision_undone(fresh: World) -> None:
    one, other = first_two(fresh)
    on = f"/people/{one}"
    answer = sent(fresh, on, f"{on}/merge", other=other, reason="same face")
    assert "Recorded: one person from the next ingest on." in answer.text
    assert "same face" in answer.text
    undo = re.search(r'action="(/people/decisions/\d+/undo)"', answer.text)
    assert undo
    assert "undone by local" in sent(fresh, on, undo.group(1), back=on).text


def test_a_split_needs_names_on_both_sides(fresh: World) -> None:
    on = person_of(fresh)
    path = urlsplit(on).path
    answer = sent(fresh, on, f"{path}/split", reason="two faces")
    assert answer.status_code == 400
    assert "leave at least one" in answer.text


def test_somebody_who_asks_not_to_be_found_is_gone(fresh: World) -> None:
    person = first_two(fresh)[0]
    on = f"/people/{person}"
    assert sent(fresh, on, f"{on}/suppress").status_code == 400
    answer = sent(fresh, on, f"{on}/suppress", sure="yes")
    assert "is not found any more." in answer.text
    assert person not in page(fresh, ASKED)
    page(fresh, on, 404)


def test_somebody_suppressed_leaves_the_shortlist_too(fresh: World) -> None:
    person = first_two(fresh)[0]
    sent(fresh, ASKED, "/shortlists/add", only=person, slug="")
    slug = re.findall(r'href="/shortlists/(\w+)"', page(fresh, "/shortlists"))[0]
    on = f"/people/{person}"
    sent(fresh, on, f"{on}/suppress", sure="yes")
    assert person not in page(fresh, f"/shortlists/{slug}")


def test_a_table_is_looked_at_before_it_is_imported(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    with world(data, Serving(doing=doing(data))) as served:
        secret = re.search(r'name="form_secret" value="([0-9a-f]+)"', page(served, "/imports"))
        assert secret
        answer = served.client.post(
            "/imports",
            data={"form_secret": secret.group(1)},
            files={"file": ("ats.csv", b"Candidate,Job,Town\nAda Example,Engineer,Oslo\n")},
            headers=HTML,
        )
        assert "Ada Example" in answer.text
        fields = {"column.0": "name", "column.1": "title", "column.2": "location"}
        done = sent(served, str(answer.url.path), str(answer.url.path), **fields)
        served.app.state.desk.work.runner.shutdown(wait=True)
        text = page(served, done.url.path)
        assert "1 record was kept." in text
        before = page(served, "/imports").partition("Imported before")[2]
        assert f'<a href="{done.url.path}">ats.csv</a><small>1 record was kept.</small>' in before


def test_a_pool_goes_out_as_a_table_and_a_picture(shared: World) -> None:
    asked = urlencode({"q": QUESTION})
    table = shared.client.get(f"/pool/pool.csv?{asked}")
    assert table.text.startswith("part,value,people,matched,how\r\nfunnel,all contributors,")
    picture = shared.client.get(f"/pool/funnel.svg?{asked}")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "script" not in picture.text
    assert shared.client.get(f"/pool/nothing.svg?{asked}", headers=HTML).status_code == 400


def test_what_goes_out_of_a_german_pool_is_german(shared: World) -> None:
    asked, german = urlencode({"q": QUESTION}), {"accept-language": "de"}

    def given(name: str) -> str:
        return shared.client.get(f"/pool/{name}?{asked}", headers=german).text

    table = given("pool.csv")
    assert table.startswith("Teil,Wert,Menschen,erfüllt,wie entschieden\r\nTrichter,alle Mitw")
    assert "\r\nLand,Vereinigte Staaten," in table
    assert ",unknown," not in table
    funnel = given("funnel.svg")
    assert "<title>Wer nach jedem Wort der Frage übrig ist</title>" in funnel
    assert " matched" not in funnel
    country = given("country.svg")
    assert "<title>Land</title>" in country
    assert ">Vereinigte Staaten</text>" in country
