"""Companies by name, declared text and email domain; affiliations over time."""

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcer import companies
from sourcer.companies import DomainKind, affiliations, belongs, employer_of, find, read, read_past
from sourcer.companies.catalogue import catalogue
from sourcer.companies.domains import kinds
from sourcer.places import normalise

CASES = Path(__file__).parent / "cases"
KINDS = {
    "employer (acquired: was Neural Magic)": "employer",
    "employer (acquired: was CentML)": "employer",
    "employer (acquired: was Xilinx)": "employer",
    "noreply or employer: unclear": "unclear",
    "foundation alias, not an employer": "foundation",
    "society alias": "foundation",
    "alumni alias": "forwarding",
    "host inside an employer domain": "employer",
    "personal domain": None,
}


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", cases("companies.jsonl"), ids=lambda case: case["text"])
def test_declared_company(case: dict[str, Any]) -> None:
    expected = [case["company"]] if case["company"] else []
    assert [company.name for company in read(case["text"])] == expected


@pytest.mark.parametrize("case", cases("email_domains.jsonl"), ids=lambda case: case["domain"])
def test_email_domain(case: dict[str, Any]) -> None:
    found = employer_of(case["domain"])
    assert (found and found.today) == case["employer"]
    assert (found and found.kind.value) == KINDS.get(case["kind"], case["kind"])


@pytest.mark.parametrize(
    ("text", "now", "past"),
    [
        ("ex-Google, now NVIDIA", ["nvidia"], ["google"]),
        ("NVIDIA, ex-Google, Meta", ["nvidia"], ["google", "meta"]),
        ("Inference @togethercomputer | prev @anyscale", ["together"], ["anyscale"]),
        ("Engineer at Red Hat AI", ["red hat"], []),
        ("@AMD / @ROCm", ["amd"], []),
        ("PhD student at Stanford; intern at Databricks", ["stanford", "databricks"], []),
        ("Google Summer of Code 2024", [], []),
        ("@vllm-project @sgl-project", [], []),
        ("Looking for a job at Google", [], []),
        ("阿里巴巴集团", ["alibaba"], []),
        ("蚂蚁集团 AI Infra", ["ant"], []),
        ("北京航空航天大学计算机学院", ["beihang university"], []),
        ("Xilinx", ["amd"], []),
        ("formerly Habana Labs", [], ["habana"]),
        ("Moonshot AI (月之暗面)", ["moonshot"], []),
        ("University of California, San Diego", ["ucsd"], []),
        ("IBM Research - Zurich", ["ibm"], []),
        ("X.AI", ["xai"], []),
        ("Tsinghua University & Moonshot AI", ["tsinghua university", "moonshot"], []),
        ("Amazon Web Services (AWS)", ["amazon"], []),
        ("metadata.io", [], []),
        ("Metaphysics Ltd.", [], []),
        ("", [], []),
    ],
)
def test_now_and_past(text: str, now: list[str], past: list[str]) -> None:
    assert [company.name for company in read(text)] == now
    assert [company.name for company in read_past(text)] == past


@pytest.mark.parametrize(
    ("domain", "kind", "today"),
    [
        ("mail2.sysu.edu.cn", "university", "sun yat-sen university"),
        ("connect.ust.hk", "university", "hkust"),
        ("eecs.berkeley.edu", "university", "uc berkeley"),
        ("alum.mit.edu", "forwarding", None),
        ("tsinghua.org.cn", "forwarding", None),
        ("student.tudelft.nl", "university", "tu delft"),
        ("cs.unheard-of.edu", "university", None),
        ("yandex.ru", "free", None),
        ("yandex-team.ru", "employer", "yandex"),
        ("naver.com", "free", None),
        ("navercorp.com", "employer", "naver"),
        ("aliyun.com", "free", None),
        ("partner.ibm.com", "unclear", None),
        ("h-partners.com", "unclear", None),
        ("notredhat.com", None, None),
        ("redhat.com.evil.example", "placeholder", None),
        ("localhost.localdomain", "host", None),
        ("ip-10-0-0-1.us-west-2.compute.internal", "host", None),
        ("10.0.0.3", "host", None),
        ("", "host", None),
    ],
)
def test_domain_kinds(domain: str, kind: str | None, today: str | None) -> None:
    found = employer_of(domain)
    assert (found and found.kind.value, found and found.today) == (kind, today)


def test_the_berkeley_lineage() -> None:
    assert belongs("sky computing lab", "uc berkeley")
    assert not belongs("uc berkeley", "sky computing lab")
    assert [c.name for c in read("Sky Computing Lab, UC Berkeley")] == [
        "sky computing lab",
        "uc berkeley",
    ]


def test_affiliations_follow_a_takeover_and_skip_shared_domains() -> None:
    rows = affiliations(
        [
            ("users.noreply.github.com", date(2020, 1, 1), date(2026, 1, 1), 900),
            ("apache.org", date(2018, 1, 1), date(2025, 1, 1), 20),
            ("gmail.com", date(2018, 1, 1), date(2025, 1, 1), 20),
            ("berkeley.edu", date(2022, 2, 1), date(2023, 3, 1), 5),
            ("linux.alibaba.com", date(2024, 1, 1), date(2024, 6, 1), 1),
            ("alibaba-inc.com", date(2023, 6, 1), date(2024, 2, 1), 7),
        ]
    )
    assert [(row.company, row.first, row.last, row.commits) for row in rows] == [
        ("alibaba", date(2023, 6, 1), date(2024, 6, 1), 8),
        ("uc berkeley", date(2022, 2, 1), date(2023, 3, 1), 5),
    ]
    assert rows[0].domains == ("alibaba-inc.com", "linux.alibaba.com")
    assert rows[1].says == (
        "seen as UC Berkeley from 2022-02-01 to 2023-03-01 (5 commits from berkeley.edu)"
    )


def test_an_address_that_outlives_a_takeover_stays_under_its_own_name() -> None:
    (row,) = affiliations([("neuralmagic.com", date(2023, 1, 1), date(2025, 6, 1), 3)])
    assert (row.company, companies.find(row.company).today.name) == ("neural magic", "red hat")


def test_the_catalogue_holds_together() -> None:
    known = catalogue()
    for company in known.values():
        assert company.into is None or (company.into in known and company.until), company.name
        assert company.parent is None or company.parent in known, company.name
        assert find(company.shown) is company
        assert [find(word) for word in company.words] == [company] * len(company.words)
    domains = Counter(domain for company in known.values() for domain in company.domains)
    assert [domain for domain, times in domains.items() if times > 1] == []
    assert set(domains) & set(kinds()) == set()


def test_no_alias_names_two_companies() -> None:
    owners: dict[str, set[str]] = {}
    for company in catalogue().values():
        for alias in (company.name, company.shown, *company.also):
            owners.setdefault(normalise(alias), set()).add(company.name)
    assert {alias: names for alias, names in owners.items() if len(names) > 1} == {}


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert not set(read(text)) & {None}
    found = employer_of(text)
    assert found is None or found.kind in DomainKind
