"""The sample is deterministic, and every kind of case is in it: read with plain git."""

import csv
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from ingest.sample import Sample, truth, write
from ingest.sample.cast import NEAR_THEMES, SEED_THEMES
from ingest.sample.crowd import everyone
from ingest.sample.history import history
from ingest.sample.themes import REPOS, themes
from sourcer.errors import BadInput

TODAY = date(2026, 6, 15)


@dataclass(frozen=True)
class Row:
    sha: str
    parents: list[str]
    author: str
    email: str
    committer: str
    stamp: int
    zone: str
    subject: str
    body: str


class Reader:
    """Plain git over the two repositories."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample

    def git(self, repo: str, *arguments: str) -> str:
        at = self.sample.repositories[REPOS[repo]]
        done = subprocess.run(["git", "-C", str(at), *arguments], capture_output=True, check=True)
        return done.stdout.decode("utf-8", "surrogateescape")

    @cache  # noqa: B019 - one reader per run
    def log(self, repo: str) -> list[Row]:
        text = self.git(
            repo,
            *("log", "--no-mailmap", "--date=raw", "main"),
            "--format=%H%x00%P%x00%an%x00%ae%x00%cn%x00%ad%x00%s%x00%b%x01",
        )
        rows = []
        for record in text.split("\x01\n")[:-1]:
            sha, parents, author, email, committer, when, subject, body = record.split("\0")
            stamp, zone = when.split()
            row = (sha, parents.split(), author, email, committer, int(stamp), zone, subject, body)
            rows.append(Row(*row))
        return rows

    def case(self, name: str) -> list[tuple[str, Row]]:
        """The commits of a case, found by their subjects."""
        found = []
        for case in truth().cases[name]:
            subject = " ".join(case.subject.split())
            rows = [row for row in self.log(case.repo) if row.subject == subject]
            assert len(rows) == 1, f"{case}: {len(rows)} commits"
            found.append((case.repo, rows[0]))
        return found

    def first(self, name: str) -> tuple[str, Row]:
        return self.case(name)[0]

    def changes(self, repo: str, sha: str) -> list[list[str]]:
        """Status, path(s) of a commit."""
        text = self.git(
            repo, "show", "--format=", "--name-status", "-M", "-z", "--first-parent", sha
        )
        parts, rows = text.split("\0")[:-1], []
        while parts:
            width = 3 if parts[0][0] in "RC" else 2
            rows.append(parts[:width])
            parts = parts[width:]
        return rows


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return write(tmp_path_factory.mktemp("sample") / "sample")


@pytest.fixture(scope="module")
def read(sample: Sample) -> Reader:
    return Reader(sample)


# --- as a whole ---------------------------------------------------------------------------------


def test_writing_twice_gives_the_same_shas_and_profiles(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody else")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    again = write(tmp_path / "again")
    for repo in REPOS:
        refs = [Reader(each).git(repo, "for-each-ref") for each in (sample, again)]
        assert refs[0] == refs[1]
    assert [p.read_bytes() for p in sample.profiles] == [p.read_bytes() for p in again.profiles]


def test_writing_again_changes_nothing(sample: Sample) -> None:
    place = sample.profiles[0].parent.parent
    before = place.stat().st_mtime_ns
    assert write(place) == sample
    assert place.stat().st_mtime_ns == before


def test_a_directory_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else than the sample"):
        write(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_an_older_sample_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "MADE-UP").write_text("another code")
    (tmp_path / "sample" / "old").write_text("gone")
    write(tmp_path / "sample")
    names = sorted(path.name for path in (tmp_path / "sample").iterdir())
    assert names == ["MADE-UP", "github", "profiles", "sglang.git", "vllm.git"]
    assert [path.name for path in tmp_path.iterdir()] == ["sample"], "no draft is left"


def test_counts(read: Reader) -> None:
    assert {repo: len(read.log(repo)) for repo in REPOS} == {"vllm": 1800, "sglang": 1200}
    assert len(truth().people) == 150
    assert len({person.name for person in everyone()}) == 149, "two people share a name"
    assert len({person.id for person in everyone()}) == 150
    assert len({person.login for person in everyone()}) == 150


def test_dates_span_the_projects_lives(read: Reader) -> None:
    stamps = {repo: [row.stamp for row in read.log(repo)] for repo in REPOS}
    assert date.fromtimestamp(min(stamps["vllm"])).isoformat()[:7] == "2023-02"
    assert date.fromtimestamp(min(stamps["sglang"])).isoformat()[:7] == "2024-01"
    assert all(
        date.fromtimestamp(max(each)) in (TODAY, date(2026, 6, 14)) for each in stamps.values()
    )


def test_the_repositories_are_sound(read: Reader) -> None:
    for repo in REPOS:
        read.git(repo, "fsck", "--strict", "--no-dangling")
        assert (
            read.git(repo, "for-each-ref", "--format=%(refname)", "refs/heads")
            == "refs/heads/main\n"
        )


def test_keys_and_pull_numbers_are_unique() -> None:
    for repo in REPOS:
        keys = [plan.key for plan in history(repo)]
        assert len(set(keys)) == len(keys)
        subjects = [plan.subject for plan in history(repo) if plan.subject.endswith(")")]
        numbers = [subject.rpartition("(#")[2] for subject in subjects]
        assert len(set(numbers)) == len(numbers)


# --- kinds of commits ---------------------------------------------------------------------------


def test_squash_merges_are_committed_by_github(read: Reader) -> None:
    row = next(row for row in read.log("vllm") if row.subject.endswith("(#12345)"))
    assert (row.committer, len(row.parents)) == ("GitHub", 1)


def test_early_commits_have_no_number(read: Reader) -> None:
    bare = [row for row in read.log("vllm") if "(#" not in row.subject and len(row.parents) == 1]
    assert any(row.committer == row.author and row.stamp < 1682900000 for row in bare)


@pytest.mark.parametrize("repo", REPOS)
def test_reverts(read: Reader, repo: str) -> None:
    by_sha = {row.sha: row for row in read.log(repo)}
    full = [row for where, row in read.case("revert with full sha") if where == repo]
    assert len(full) >= 2
    for row in full:
        undone = by_sha[row.body.split("This reverts commit ")[1][:40]]
        assert row.subject.startswith(f'Revert "{undone.subject}" (#')
        assert {c[-1] for c in read.changes(repo, row.sha)} <= {
            c[-1] for c in read.changes(repo, undone.sha)
        }
    short = next(row for where, row in read.case("revert with short sha") if where == repo)
    digits = short.body.split("This reverts commit ")[1].split(".")[0]
    assert len(digits) == 7
    assert sum(sha.startswith(digits) for sha in by_sha) == 1
    silent = next(row for where, row in read.case("revert without sha") if where == repo)
    assert "reverts commit" not in silent.body


def test_a_revert_restores_the_content(read: Reader) -> None:
    restored = 0
    for repo, row in read.case("revert with full sha"):
        undone = row.body.split("This reverts commit ")[1][:40]
        for change in read.changes(repo, row.sha):
            blob = [
                read.git(repo, "rev-parse", f"{at}:{change[-1]}") for at in (row.sha, f"{undone}~1")
            ]
            restored += blob[0] == blob[1]
    assert restored >= 5


def test_a_revert_is_itself_reverted(read: Reader) -> None:
    _, row = read.first("revert of a revert")
    titles = {each.subject for each in read.log("vllm")}
    assert row.subject.removeprefix('Reapply "').rpartition('" (#')[0] in titles
    assert "This reverts commit" in row.body


def test_directories_are_renamed(read: Reader) -> None:
    found = dict[str, str]()
    for repo, row in read.case("bulk move"):
        kinds = {change[0] for change in read.changes(repo, row.sha)}
        assert kinds == {"R100"}, row.subject
        found[row.subject.rpartition(" (#")[0]] = read.changes(repo, row.sha)[0][2]
    assert found["[V1] Move the engine, scheduler and worker into v1"].startswith("vllm/v1/")
    assert found["chore: flatten the sgl-kernel source tree"].startswith("sgl-kernel/csrc/")
    assert found["[router] rename sgl-router to sgl-model-gateway"].startswith("sgl-model-gateway/")
    assert len(found) == 15


def test_no_file_lies_under_a_name_that_was_moved_away(read: Reader) -> None:
    paths = set(read.git("vllm", "ls-tree", "-r", "--name-only", "main").splitlines())
    gone = ("cacheflow/", "vllm/engine/", "vllm/core/", "vllm/attention/", "csrc/quantization/")
    assert [path for path in paths if path.startswith(gone)] == []
    assert {
        path.name for theme in themes().values() for path in theme.paths["vllm"]
    } - paths == set()


def test_one_file_is_renamed_twice_with_a_change(read: Reader) -> None:
    repo, row = read.first("rename of a rename, with a change")
    ((status, old, new),) = read.changes(repo, row.sha)
    assert status.startswith("R")
    assert status != "R100"
    assert (old, new) == ("vllm/old_sampler.py", "vllm/retired_sampler.py")


def test_a_file_is_deleted(read: Reader) -> None:
    repo, row = read.first("deletion")
    assert read.changes(repo, row.sha) == [["D", "vllm/retired_sampler.py"]]


@pytest.mark.parametrize("case", ["merge commit", "octopus merge", "merge of a second root"])
def test_merges(read: Reader, case: str) -> None:
    parents = {"merge commit": 2, "octopus merge": 4, "merge of a second root": 2}[case]
    for repo, row in read.case(case):
        assert len(row.parents) == parents
        arms = {
            author
            for where, arm in read.case(f"{case}: arm")
            if where == repo
            for author in [arm.author]
        }
        assert row.author not in arms
        assert {change[0] for change in read.changes(repo, row.sha)} == {"A"}


def test_a_second_root(read: Reader) -> None:
    assert len([row for row in read.log("sglang") if not row.parents]) == 2
    assert len([row for row in read.log("vllm") if not row.parents]) == 1


@pytest.mark.parametrize("case", ["binary file added", "binary file changed"])
def test_binary_files(read: Reader, case: str) -> None:
    repo, row = read.first(case)
    assert read.git(repo, "show", "--format=", "--numstat", row.sha).startswith("-\t-\tdocs/assets")


def test_tuning_tables_and_nothing_else(read: Reader) -> None:
    rows = read.case("configuration only")
    assert {row.author for _, row in rows} == {"Kipling Ravensmere"}
    assert len(rows) == 26
    for repo, row in rows:
        (change,) = read.changes(repo, row.sha)
        assert "/configs/" in change[-1]
        assert change[-1].rpartition("/")[2].startswith("E=")
        assert change[-1].endswith(".json")


def test_formatting_changes_many_files_and_no_names(read: Reader) -> None:
    for repo, row in read.case("formatting"):
        assert len(read.changes(repo, row.sha)) >= 20
        assert read.git(repo, "show", "--format=", "-w", "--numstat", row.sha) == ""


def test_the_formatting_commit_is_listed_for_blame(read: Reader) -> None:
    repo, row = read.first("blame-ignore list")
    sha = row.body.split()[1].rstrip(".")
    subject = read.git(repo, "log", "-1", "--format=%s", sha)
    assert subject.startswith("[Chore] Switch formatter, no functional change")


def test_vendored_and_generated_code(read: Reader) -> None:
    repo, row = read.first("vendored code")
    assert len(read.changes(repo, row.sha)) == 12
    repo, row = read.first("generated code")
    assert "DO NOT EDIT" in read.git(repo, "show", row.sha)


def test_modes_links_and_submodules(read: Reader) -> None:
    tree = read.git("vllm", "ls-tree", "-r", "main")
    assert "100755 blob" in tree
    assert "120000 blob" in tree
    assert "160000 commit " + "5" * 40 + "\tthird_party/cutlass" in tree
    repo, row = read.first("mode change")
    assert "100644 100755" in read.git(repo, "show", "--format=", "--raw", row.sha)


def test_awkward_file_names(read: Reader) -> None:
    repo, row = read.first("awkward file names")
    names = {change[1].removeprefix("tests/odd/") for change in read.changes(repo, row.sha)}
    assert names == {
        *("with space.txt", "tab\there.txt", '"quoted".txt', "new\nline.txt"),
        *("latin-\udce9.txt", "日本語.txt"),
    }


def test_a_commit_that_changes_nothing(read: Reader) -> None:
    repo, row = read.first("empty commit")
    assert read.changes(repo, row.sha) == []


def test_a_message_in_latin_1(read: Reader) -> None:
    repo, row = read.first("message in Latin-1")
    assert row.subject == "Größenprüfung für Präfixe ergänzen"
    assert "\nencoding iso-8859-1\n" in read.git(repo, "cat-file", "commit", row.sha)


def test_odd_subjects_and_bodies(read: Reader) -> None:
    assert read.first("markup and emoji in subject")[1].subject.startswith("🚀 Escape <script>")
    assert len(read.first("very long subject")[1].subject) > 400
    assert "FIX #4711" in read.first("body with prose")[1].body
    assert read.first("two numbers in subject")[1].subject.count("(#") == 2


@pytest.mark.parametrize(
    ("case", "holds"),
    [
        ("author without a name", lambda row: row.author == ""),
        ("author without an email", lambda row: row.email == ""),
        ("root at a host", lambda row: row.email == "root@node-a1.cluster.local"),
        ("root at another host", lambda row: row.email == "root@node-b2.cluster.local"),
        ("cloud default user", lambda row: row.author == "ubuntu"),
        ("zone far east", lambda row: row.zone == "+1400"),
        ("zone that is nonsense", lambda row: row.zone == "+5130"),
    ],
)
def test_broken_headers(read: Reader, case: str, holds: Callable[[Row], bool]) -> None:
    assert all(holds(row) for _, row in read.case(case))


def test_landmarks(read: Reader) -> None:
    introduced = {row.subject.rpartition(" (#")[0] for _, row in read.case("who introduced it")}
    assert introduced == {
        "[Core] Introduce automatic prefix caching",
        "[Core] Introduce chunked prefill",
        "Introduce radix cache for prefix sharing",
    }
    assert read.first("OOM fixed in 2025")[1].author == "Leopold Vanterholm"
    assert read.git("vllm", "tag") == "v0.2.0\nv0.6.0\nv0.9.0\n"


# --- trailers and signers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "text"),
    [
        ("trailer in capitals", "CO-AUTHORED-BY: Rosalka Wintersmith <"),
        ("trailer in small letters", "signed-off-by: Rosalka Wintersmith <"),
        ("trailer with odd spaces", "Co-authored-by :  Rosalka Wintersmith   <"),
        ("malformed trailer: no email", "Co-authored-by: Nobody In Particular\n"),
        ("malformed trailer: bracket missing", "<rosalka.wintersmith@redhat.com\n"),
        ("malformed trailer: empty", "Signed-off-by:\n"),
        ("trailer without a name", "Signed-off-by: <"),
        ("author is also co-author", "Co-authored-by: Ilmar Osterhagen <761055219+"),
        ("one name with another's email", "Co-authored-by: Eldon Kurtzmere <785920017+lmartinek"),
        ("made-up numeric id", "Co-authored-by: Srinidhi Velankoor <12345+svelankoor-l@"),
        ("markup as a name", "Signed-off-by: <script>alert(1)</script> <781024490+"),
        ("several co-authors", "Co-authored-by: github-actions[bot] <"),
        ("trailers between squashed messages", "---------"),
        ("AI agent in its own words", "Co-Authored-By: Claude Opus 4.6 (1M context) <"),
    ],
)
def test_trailers(read: Reader, case: str, text: str) -> None:
    _, row = read.first(case)
    assert text in row.body


@pytest.mark.parametrize("agent", ["Claude", "Copilot", "Cursor Agent", "OpenAI Codex"])
def test_ai_agents_co_author(read: Reader, agent: str) -> None:
    rows = [row for repo in REPOS for row in read.log(repo)]
    assert sum(f"uthored-by: {agent} <" in row.body for row in rows) >= 3


def test_bots_and_agents_commit(read: Reader) -> None:
    authors = {(row.author, row.email) for repo in REPOS for row in read.log(repo)}
    assert {(bot.name, bot.email) for bot in truth().bots} <= authors
    assert {row.author for _, row in read.case("bot that tunes MoE tables")} == {"moe-tuner[bot]"}
    noise = read.case("dependabot noise")
    assert 100 <= len(noise) <= 300
    assert {row.author for _, row in noise} == {"dependabot[bot]"}


def test_a_signer_who_wrote_nothing_signs_several_authors(read: Reader) -> None:
    signed = [row for row in read.log("vllm") if "Signed-off-by: Gideon Lowestark" in row.body]
    reviewed = [row for row in read.log("vllm") if "Reviewed-by: Sabine Orlowood" in row.body]
    for rows in (signed, reviewed):
        assert len({row.author for row in rows}) >= 5
    written = {row.author for repo in REPOS for row in read.log(repo)}
    assert not {"Gideon Lowestark", "Sabine Orlowood"} & written


def test_an_alias_signs_one_authors_commits_only(read: Reader) -> None:
    rows = [row for repo in REPOS for row in read.log(repo) if "Weilong Suotan" in row.body]
    assert len(rows) >= 10
    assert {row.author for row in rows} == {"Daniel Suotan"}


# --- people -------------------------------------------------------------------------------------


def emails(read: Reader, name: str) -> set[str]:
    return {row.email for repo in REPOS for row in read.log(repo) if row.author == name}


def test_everybody_who_wrote_is_found_by_their_signatures(read: Reader) -> None:
    authors = {(row.author, row.email) for repo in REPOS for row in read.log(repo)}
    for person in truth().people.values():
        mine = {(each.name, each.email) for each in person.signatures} & authors
        assert bool(mine) == bool(person.topics), person.slug


def test_employers_change_with_the_address(read: Reader) -> None:
    rows = [row for row in read.log("vllm") if row.author == "Marisol Tevenbrook"]
    old = [row.stamp for row in rows if row.email.endswith("@neuralmagic.com")]
    new = [row.stamp for row in rows if row.email.endswith("@redhat.com")]
    assert max(old) < min(new)
    assert {mail.split("@")[1] for mail in emails(read, "Yusra Hadleighan")} == {
        "centml.ai",
        "nvidia.com",
    }
    assert {mail.split("@")[1] for mail in emails(read, "Itamar Golandesh")} == {
        "habana.ai",
        "intel.com",
    }
    assert "berkeley.edu" in {mail.split("@")[1] for mail in emails(read, "Perpetua Langrove")}


def test_a_login_is_renamed_and_the_id_stays(read: Reader) -> None:
    mails = {row.email for row in read.log("sglang")}
    assert "735233869+ximecalder-01@users.noreply.github.com" in mails
    assert "735233869+xcalderwood-ng@users.noreply.github.com" in mails


def test_root_and_placeholder_addresses(read: Reader) -> None:
    assert "root@gpu-node-17.fernhollow.example" in emails(read, "root")
    signers = {
        row.author for repo in REPOS for row in read.log(repo) if row.email == "you@example.com"
    }
    assert signers == {"Eldon Kurtzmere", "Liza Martinek"}
    shared = {
        row.author
        for repo in REPOS
        for row in read.log(repo)
        if row.email == "oss@brackenmoor.example"
    }
    assert shared == {"Anselm Cambrickson", "Bettany Hargrovel"}


def test_two_people_share_a_name_and_not_an_id(read: Reader) -> None:
    assert emails(read, "Jialan Shuwei") == {
        "781566312+jlshuwei-a1@users.noreply.github.com",
        "782109975+shuweijl-b2@users.noreply.github.com",
    }


def test_names_one_letter_apart(read: Reader) -> None:
    assert emails(read, "Jinheng Lianbo")
    assert emails(read, "Jinhang Lianbo")
    assert not emails(read, "Jinheng Lianbo") & emails(read, "Jinhang Lianbo")


@pytest.mark.parametrize(
    "name",
    [
        "沈岚洲",
        "Jürgen Großmeißel",
        "Bogumił Zdrojewicki",
        "Bronisława Ćwiklińska-Żuk",
        "עידו כרמלוביץ",
        "Þórdís Hrafnkelsdóttir",
        "Zoë Brontëfield",
        "Claude Vignemarre",
        "Botond Kerékpáros",
        "乔凌唯",
        "scriptalert(1)/script",
        "snowquarrel99",
        "Devin Harrowgale",
        "Nguyễn Khảidương",
    ],
)
def test_names_that_trip_machines(read: Reader, name: str) -> None:
    assert emails(read, name)


def test_a_human_commits_from_an_agents_address(read: Reader) -> None:
    assert "cursoragent@cursor.com" in emails(read, "Bingwu Talmer")


def test_mailmap_joins_a_laptops_address(read: Reader) -> None:
    text = read.git("vllm", "show", "main:.mailmap")
    assert "<bronka@bronka-thinkpad.(none)>" in text
    who = "bronka-laptop <bronka@bronka-thinkpad.(none)>"
    assert who in {f"{row.author} <{row.email}>" for row in read.log("vllm")}
    assert read.git("vllm", "log", "-1", "--format=%aN", "--author=bronka-laptop") == ""


def test_those_who_left_and_those_who_are_new() -> None:
    people = truth().people
    assert people["hesper-dunmorrow"].last < date(2024, 6, 1)  # type: ignore[operator]
    fresh = {
        slug for slug, each in people.items() if each.first and (TODAY - each.first).days <= 90
    }
    assert {"thordis-hrafnkelsdottir", "zoe-brontefield"} <= fresh
    assert 6 <= len(fresh) <= 20


def test_people_in_one_repository_and_in_both() -> None:
    repos = {slug: set(each.topics) for slug, each in truth().people.items()}
    assert repos["oksana-brzezwa"] == {"vllm", "sglang"}
    assert repos["arvida-kestrelin"] == {"vllm"}
    assert repos["tobias-fennimarch"] == {"sglang"}
    assert sum(len(each) == 2 for each in repos.values()) >= 15


def test_a_generalist_touches_everything() -> None:
    assert len(truth().people["ilmar-osterhagen"].topics["vllm"]) >= 9


@pytest.mark.parametrize("slug", themes())
def test_every_topic_has_specialists(slug: str) -> None:
    counts = sorted(each.wrote([slug]) for each in truth().people.values())
    assert counts[-2] >= 5


def test_documentation_only_and_ci_only_people() -> None:
    assert truth().people["juniper-hallowell"].topics.keys() == {"vllm", "sglang"}
    assert all(
        set(each) == {"docs"} for each in truth().people["juniper-hallowell"].topics.values()
    )
    assert set(truth().people["wendel-ashgrovex"].topics["vllm"]) == {"ci-build"}


def test_owners_change_over_time(read: Reader) -> None:
    text = read.git("vllm", "log", "--format=%ad", "--date=short", "--", ".github/CODEOWNERS")
    assert text.split() == ["2026-02-10", "2025-05-20", "2024-08-14"]
    now = read.git("vllm", "show", "main:.github/CODEOWNERS")
    assert "/csrc/moe @arvkestrel-q\n" in now
    assert "hdunmorrow-old" not in now
    assert "@hdunmorrow-old" in read.git("vllm", "show", "v0.6.0:.github/CODEOWNERS")
    assert "- [@mtevenbrook-rx](https://github.com/mtevenbrook-rx): KV connector" in read.git(
        "vllm", "show", "main:docs/governance/committers.md"
    )
    assert "### PD disaggregation" in read.git("sglang", "show", "main:.github/MAINTAINER.md")


# --- diffs --------------------------------------------------------------------------------------


def test_hunk_headers_name_functions(read: Reader) -> None:
    diff = read.git("vllm", "log", "-p", "-U0", "main", "--", "csrc/moe/topk_softmax_kernels.cu")
    assert "@@ __global__ void " in diff
    diff = read.git("vllm", "log", "-p", "-U0", "main", "--", "vllm/distributed/eplb/eplb_state.py")
    named = set(re.findall(r"^@@ [-+,0-9 ]+ @@ (?:def|class) (\w+)", diff, re.M))
    assert named & set(themes()["eplb"].names)


# --- profiles -----------------------------------------------------------------------------------


def test_github_profiles(sample: Sample) -> None:
    rows = [json.loads(line) for line in sample.profiles[0].read_text("utf-8").splitlines()]
    keys = ["login", "id", "name", "company", "location", "bio", "blog", "hireable"]
    assert all(list(row) == [*keys, "created_at", "followers"] for row in rows)
    by_login = {row["login"]: row for row in rows}
    assert by_login["zz-scriptkid-00"]["name"] == "<script>alert(1)</script>"
    assert by_login["lfrosthollow-x"]["bio"] == "No recruiters, please."
    assert by_login["moe-tuner[bot]"]["hireable"] is True
    assert "snowquarrel99" not in by_login
    assert 90 <= len(rows) <= 140


def test_linkedin_connections(sample: Sample) -> None:
    text = sample.profiles[1].read_text("utf-8")
    assert text.startswith("Notes:\n")
    rows = list(csv.DictReader(text.split("\n\n", 1)[1].splitlines()))
    row = next(row for row in rows if row["Last Name"] == "Vexley")
    assert (row["Position"], row["Company"]) == ("Staff Software Engineer", "NVIDIA")
    assert row["Connected On"] == "04 May 2025"
    assert next(row for row in rows if row["Last Name"] == "Penhallisk")["Company"] == ""


def test_ats_export(sample: Sample) -> None:
    rows = list(csv.DictReader(sample.profiles[2].read_text("utf-8").splitlines()))
    by_name = {row["name"]: row for row in rows}
    assert by_name["Corwin Aldersgate"]["open_to_offers"] == "no"
    assert by_name["沈岚洲"]["title"] == "高级工程师"
    assert all(row["email"] or row["github url"] for row in rows)
    assert any(not row["github url"] for row in rows)
    assert any(not row["email"] for row in rows)


# --- the seed question --------------------------------------------------------------------------

MATCHES = {
    *("arvida-kestrelin", "dorian-vexley", "marisol-tevenbrook", "lingwei-qiaohan"),
    *("tobias-fennimarch", "oksana-brzezwa", "hollis-greymantle", "ximena-calderwood"),
}


def test_eight_people_answer_the_seed_question() -> None:
    assert truth().seed.matches == MATCHES


def test_near_misses_fail_on_the_one_word_they_were_made_for() -> None:
    seed = truth().seed
    for person in everyone():
        if person.fails:
            assert seed.fails[person.slug] == (person.fails,), person.slug
        if person.unknown:
            assert seed.unknown[person.slug] == (person.unknown,), person.slug
    words = {word for said in seed.fails.values() if len(said) == 1 for word in said}
    assert words == {"location", "seniority", "openness", "topic", "commits", "suppressed"}
    alone = {said for said in seed.unknown.values() if len(said) == 1}
    assert alone == {("location",), ("seniority",), ("openness",)}


def test_no_answer_hangs_on_where_a_taxonomy_draws_the_line() -> None:
    for slug, words in truth().seed.fails.items():
        person = truth().people[slug]
        declared = (person.country, person.open) == ("US", "yes")
        if words == ("topic",) and declared and person.level is not None:
            touched = {theme for counts in person.topics.values() for theme in counts}
            assert not touched & NEAR_THEMES, slug
    for slug in truth().seed.matches:
        assert truth().people[slug].wrote(SEED_THEMES) >= 5


# --- judged questions ---------------------------------------------------------------------------


def test_judged_questions_are_the_committed_file() -> None:
    lines = [json.dumps(asdict(each), ensure_ascii=False) for each in truth().judged]
    text = "".join(f"{line}\n" for line in lines)
    assert (Path(__file__).parent / "judged" / "sample.jsonl").read_text("utf-8") == text
    assert len(lines) == 26
    assert all(each.relevant for each in truth().judged)
