"""Parse, search, pool, topics and status over HTTP."""

from api.responses import SearchOut
from tests.api_world import World

QUESTION = "MoE kernels or expert parallelism"


def test_what_is_understood_comes_in_the_canonical_form(shared: World) -> None:
    read = shared.get("/parse", q="moe kernels in the US")
    assert [part["id"] for part in read["topics"]] == ["moe-kernels"]
    assert [(part["field"], part["value"]) for part in read["filters"]] == [("country", "US")]


def test_repo_adds_one_filter(shared: World) -> None:
    read = shared.get("/parse", q="moe kernels", repo="vllm-project/vllm")
    assert [(part["field"], part["value"]) for part in read["filters"]] == [
        ("repo", "vllm-project/vllm")
    ]


def test_pages_fit_together_and_carry_one_search_id(shared: World) -> None:
    whole = shared.get("/search", q=QUESTION, limit=60)
    ids, page = [], shared.get("/search", q=QUESTION, limit=7)
    assert page["total"] == whole["total"] > 20
    first = page["search_id"]
    while True:
        ids += [entry["person"]["id"] for entry in page["entries"]]
        if page["next_cursor"] is None or len(ids) >= 60:
            break
        page = shared.get("/search", q=QUESTION, limit=7, cursor=page["next_cursor"])
        assert page["search_id"] == first
    expected = [entry["person"]["id"] for entry in whole["entries"]]
    assert ids[: len(expected)] == expected[: len(ids)]


def test_an_answer_is_what_its_model_says(shared: World) -> None:
    """It is written without the model, for speed."""
    senior = f"{QUESTION} in Europe, ideally senior, not at NVIDIA, without visa"
    for question in (QUESTION, senior, "who reviewd Attention since 2025", "p"):
        said = shared.get("/search", q=question)
        assert SearchOut.model_validate(said).model_dump(mode="json") == said


def test_a_page_is_remembered_and_the_same(shared: World) -> None:
    first = shared.client.get("/api/v1/search", params={"q": QUESTION})
    again = shared.client.get("/api/v1/search", params={"q": QUESTION})
    assert again.content == first.content
    assert 'sourcer_searches_total{remembered="yes"}' in shared.client.get("/metrics").text


def test_every_entry_cites_commits(shared: World) -> None:
    for entry in shared.get("/search", q=QUESTION)["entries"]:
        assert all(len(commit["sha"]) == 40 for commit in entry["evidence"])
        assert entry["evidence"]
        assert entry["why"]["parts"]


def test_an_answer_held_already_is_not_sent_again(shared: World) -> None:
    for path in ("/search?q=moe", "/parse?q=moe", "/topics", "/status", "/pool?q=moe"):
        first = shared.client.get(f"/api/v1{path}")
        held = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
        again = shared.client.get(f"/api/v1{path}", headers=held)
        assert (again.status_code, again.content) == (304, b""), path
        assert again.headers["etag"] == first.headers["etag"]


def test_answers_are_zipped_for_those_who_take_it(shared: World) -> None:
    plain = shared.client.get(
        f"/api/v1/search?q={QUESTION}", headers={"Accept-Encoding": "identity"}
    )
    zipped = shared.client.get(f"/api/v1/search?q={QUESTION}", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.json() == plain.json()
    assert int(zipped.headers["content-length"]) < len(plain.content) / 3


def test_the_canonical_form_is_searched_as_it_stands(shared: World) -> None:
    read = shared.get("/parse", q="moe kernels in the US")
    by_words = shared.get("/search", q="moe kernels in the US")
    by_form = shared.post("/search", {"query": read}, 200)
    assert by_form["entries"] == by_words["entries"]
    wider = {**read, "filters": []}
    assert shared.post("/search", {"query": wider}, 200)["total"] >= by_form["total"]


def test_a_cursor_of_another_question_is_gone(shared: World) -> None:
    cursor = shared.get("/search", q=QUESTION, limit=1)["next_cursor"]
    answer = shared.client.get("/api/v1/search", params={"q": "lora", "limit": 1, "cursor": cursor})
    assert answer.status_code == 410
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == (
        "this cursor belongs to another question, repo or limit. Ask from the start"
    )


def test_a_cursor_made_up_is_refused(shared: World) -> None:
    answer = shared.client.get("/api/v1/search", params={"q": "moe", "cursor": "20"})
    assert answer.status_code == 400
    assert answer.json()["detail"] == (
        "this cursor was not given out here. Take next_cursor of the last page"
    )


def test_the_pool_says_where_people_drop_out(shared: World) -> None:
    pool = shared.get("/pool", q="moe kernels in the US", by=["employer", "quarter"], report=True)
    matched = [step["matched"] + step["unknown"] for step in pool["funnel"]]
    assert matched == sorted(matched, reverse=True)
    assert [one["dimension"] for one in pool["slices"]] == ["employer", "quarter"]
    assert pool["report"]["figures"]


def test_a_pool_by_a_dimension_that_there_is_not(shared: World) -> None:
    answer = shared.client.get("/api/v1/pool", params={"q": "moe", "by": "gender"})
    assert answer.status_code == 400
    assert "not by 'gender'" in answer.json()["detail"]


def test_topics_and_status(shared: World) -> None:
    topics = {topic["id"]: topic for topic in shared.get("/topics")["topics"]}
    assert topics["moe"]["name"] == "Mixture of experts (MoE)"
    status = shared.get("/status")
    assert {one["name"] for one in status["repositories"]} == {
        "vllm-project/vllm",
        "sgl-project/sglang",
    }


def test_errors_say_what_to_do(shared: World) -> None:
    cases = {
        "/search": (422, "query.q: Field required. See /docs for what is expected"),
        "/search?q=moe&limit=0": (
            422,
            "query.limit: Input should be greater than or equal to 1. "
            "See /docs for what is expected",
        ),
        "/nowhere": (404, "there is no such page. See /docs for what there is"),
        "/people/nobody-at-all": (
            404,
            "nobody here has the id or login 'nobody-at-all'. Try a search",
        ),
    }
    for path, (status, detail) in cases.items():
        answer = shared.client.get(f"/api/v1{path}")
        assert (answer.status_code, answer.json()["detail"]) == (status, detail)
        assert answer.json()["request_id"] == answer.headers["x-request-id"]


def test_the_openapi_has_an_example_or_a_description_on_every_route(shared: World) -> None:
    schema = shared.client.get("/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            assert route["description"], f"{method} {path}"
    assert schema["components"]["schemas"]["Problem"]["examples"]


def test_no_other_site_is_invited(shared: World) -> None:
    answer = shared.client.get("/api/v1/topics", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in answer.headers
