"""Each format, told by its content; nothing is imported twice; no email is kept."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from ingest.profiles.importing import Imported, import_file, mapping_of
from ingest.profiles.mappings import amended
from ingest.profiles.records import Record, Unread, load
from sourcer.addresses import hashed
from sourcer.errors import BadInput

SALT = b"salt"
DAY = datetime(2026, 6, 1, tzinfo=UTC)
CONNECTIONS = (
    'Notes:\r\n"When exporting, some of the\r\nemail addresses are missing."\r\n\r\n'
    "First Name,Last Name,URL,Email Address,Company,Position,Connected On\r\n"
    "Mira,Lundgren,https://www.linkedin.com/in/mira-lund,mira@lund.dev,ACME,Lead,04 May 2026\r\n"
    ",,,,,,01 May 2026\r\n"
    '"Jo","Berg",https://www.linkedin.com/in/jo-berg,,"Berg, Ltd",Engineer,03 May 2026\r\n'
)
OWNER = {
    "Profile.csv": "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,"
    "Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers\n"
    'Mira,Lundgren,,1 Street,"Jan 1, 1990",Builder,I write kernels,Software,0001,"Oslo, Norway",,'
    "[PERSONAL:https://github.com/mira-l],\n",
    "Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\n"
    "Initech,Engineer,,Bergen,Jan 2019,Mar 2022\nACME,Staff Engineer,,Oslo,Apr 2022,\n",
    "Education.csv": "School Name,Start Date,End Date,Notes,Degree Name,Activities\n"
    "UC Berkeley,2010,2015,,PhD,\n",
    "Skills.csv": "Name\nCUDA\nTriton\n",
    "Email Addresses.csv": "Email Address,Confirmed,Primary,Updated On\n"
    "mira@lund.dev,Yes,Yes,1/1/26\n",
}
RESUME = {
    "basics": {
        "name": "Mira Lundgren",
        "label": "Kernel engineer",
        "email": "mira@lund.dev",
        "location": {"city": "Oslo", "countryCode": "NO"},
        "profiles": [{"network": "GitHub", "username": "mira-l"}],
    },
    "work": [
        {"name": "Initech", "position": "Engineer", "startDate": "2019", "endDate": "2022-03"},
        {"name": "ACME", "position": "Staff Engineer", "startDate": "2022-04"},
    ],
    "education": [{"institution": "UC Berkeley"}],
    "skills": [{"name": "CUDA"}],
}
PERSON = {
    "id": "pdl-1",
    "full_name": "mira lundgren",
    "sex": "female",
    "birth_year": 1990,
    "job_title": "staff engineer",
    "job_company_name": "acme",
    "location_name": "oslo, norway",
    "linkedin_url": "linkedin.com/in/mira-lund",
    "github_username": "mira-l",
    "personal_emails": ["mira@lund.dev"],
    "mobile_phone": "+47 000",
    "job_last_updated": "2025-11-02",
    "experience": [{"company": {"name": "initech"}, "end_date": "2022-03"}],
    "education": [{"school": {"name": "uc berkeley"}}],
    "skills": ["cuda"],
}


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "profiles"


def given(tmp_path: Path, name: str, content: str | bytes) -> Path:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def keep(file: Path, into: Path) -> Imported:
    return import_file(file, into, SALT, at=DAY)


def only(into: Path) -> Record:
    (record,) = load(into)
    return record


# --- LinkedIn -----------------------------------------------------------------------------------


def test_connections_are_read_below_their_notes(tmp_path: Path, into: Path) -> None:
    done = keep(given(tmp_path, "Connections.csv", CONNECTIONS), into)
    assert str(done.kind) == "linkedin"
    assert done.unread == (
        Unread(7, "it names nobody: LinkedIn leaves the row of a closed account empty"),
    )
    jo, mira = load(into)
    assert dict(jo.fields) == {
        "name": "Jo Berg",
        "company": "Berg, Ltd",
        "title": "Engineer",
        "linkedin": "https://www.linkedin.com/in/jo-berg",
    }
    assert mira.email_keys == (hashed(SALT, "mira@lund.dev"),)
    assert mira.fetched_at == DAY, "the day of connecting says nothing of the row's age"


def test_the_whole_export_describes_its_owner(tmp_path: Path, into: Path) -> None:
    archive = tmp_path / "Basic_LinkedInDataExport.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name, text in {**OWNER, "Connections.csv": CONNECTIONS}.items():
            packed.writestr(f"export/{name}", text)
    assert keep(archive, into).records == 3
    owner = next(record for record in load(into) if record.login)
    assert owner.login == "mira-l"
    assert owner.email_keys == (hashed(SALT, "mira@lund.dev"),)
    assert dict(owner.fields) == {
        "name": "Mira Lundgren",
        "title": "Staff Engineer",
        "company": "ACME",
        "location": "Oslo, Norway",
        "bio": "I write kernels",
        "past_company": "Initech",
        "school": "UC Berkeley",
        "skills": "CUDA\nTriton",
    }


def test_positions_alone_need_the_profile_beside_them(tmp_path: Path, into: Path) -> None:
    positions = given(tmp_path, "Positions.csv", OWNER["Positions.csv"])
    with pytest.raises(BadInput, match=r"Profile\.csv is missing"):
        keep(positions, into)
    given(tmp_path, "Profile.csv", OWNER["Profile.csv"])
    keep(positions, into)
    assert only(into).fields["company"] == "ACME"


# --- JSON ---------------------------------------------------------------------------------------


def test_json_resume(tmp_path: Path, into: Path) -> None:
    keep(given(tmp_path, "resume.json", json.dumps(RESUME)), into)
    record = only(into)
    assert (record.login, record.email_keys) == ("mira-l", (hashed(SALT, "mira@lund.dev"),))
    assert dict(record.fields) == {
        "name": "Mira Lundgren",
        "title": "Staff Engineer",
        "company": "ACME",
        "location": "Oslo, NO",
        "past_company": "Initech",
        "school": "UC Berkeley",
        "skills": "CUDA",
    }


def test_a_resume_that_breaks_the_schema_says_where(tmp_path: Path, into: Path) -> None:
    broken = {**RESUME, "work": [{"name": "ACME", "startDate": "yesterday"}]}
    with pytest.raises(BadInput, match=r"work\[0\]\.startDate is not of the form"):
        keep(given(tmp_path, "resume.json", json.dumps(broken)), into)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PERSON),
        json.dumps({"status": 200, "data": PERSON}),
        json.dumps({"data": [PERSON], "total": 1}),
        json.dumps(PERSON) + "\n",
    ],
)
def test_people_data_labs(tmp_path: Path, into: Path, text: str) -> None:
    assert str(keep(given(tmp_path, "people.json", text), into).kind) == "people-data-labs"
    record = only(into)
    assert (record.key, record.login) == ("pdl-1", "mira-l")
    assert record.fetched_at == datetime(2025, 11, 2, tzinfo=UTC)
    assert dict(record.fields) == {
        "name": "mira lundgren",
        "title": "staff engineer",
        "company": "acme",
        "location": "oslo, norway",
        "linkedin": "https://www.linkedin.com/in/mira-lund",
        "past_company": "initech",
        "school": "uc berkeley",
        "skills": "cuda",
    }


def test_broken_lines_cost_themselves_alone(tmp_path: Path, into: Path) -> None:
    good = json.dumps({"login": "ada", "id": 7, "bio": "kernels"})
    text = f'{{"login": "bo", \n{good}\n[1]\n{{"login": "cy"}}\n'
    done = keep(given(tmp_path, "github.jsonl", text), into)
    assert [row.line for row in done.unread] == [1, 3, 4]
    assert only(into).login == "ada"


def test_artifacts_are_a_record_for_each_person(tmp_path: Path, into: Path) -> None:
    talk = {
        "kind": "talk",
        "title": "Experts in parallel",
        "url": "https://conf.dev/1",
        "date": "2025-09-18",
        "people": ["Mira Lundgren", {"name": "Jo Berg", "company": "ACME", "github": "jo"}],
    }
    odd = {"kind": "gossip", "title": "x", "people": ["Jo Berg"]}
    text = json.dumps(talk) + "\n" + json.dumps(odd) + "\n"
    done = keep(given(tmp_path, "talks.jsonl", text), into)
    assert (str(done.kind), done.records, len(done.unread)) == ("artifacts", 2, 1)
    assert {record.login for record in load(into)} == {None, "jo"}
    assert all(record.is_artifact for record in load(into))


def test_openalex_works_tell_the_institution_of_each_author(tmp_path: Path, into: Path) -> None:
    work = {
        "id": "https://openalex.org/W1",
        "display_name": "Serving experts",
        "type": "article",
        "doi": "https://doi.org/10.1/x",
        "publication_date": "2025-02-03",
        "authorships": [
            {
                "author": {"display_name": "Mira Lundgren"},
                "institutions": [
                    {"display_name": "University of California, Berkeley", "type": "education"},
                    {"display_name": "Nvidia (United States)", "type": "company"},
                ],
            }
        ],
    }
    keep(given(tmp_path, "works.json", json.dumps({"meta": {}, "results": [work]})), into)
    assert dict(only(into).fields) == {
        "name": "Mira Lundgren",
        "company": "Nvidia (United States)",
        "school": "University of California, Berkeley",
        "kind": "paper",
        "title": "Serving experts",
        "url": "https://doi.org/10.1/x",
        "date": "2025-02-03",
    }


# --- tables -------------------------------------------------------------------------------------


def test_a_guessed_mapping_is_saved_and_reused_for_the_same_header(
    tmp_path: Path, into: Path
) -> None:
    first = given(tmp_path, "ATS 2026.csv", "Candidate;Current Role;Firm\nMira Lund;Lead;ACME\n")
    guess = mapping_of(first, into)
    assert guess is not None
    assert dict(guess.columns) == {"name": "Candidate", "title": "Current Role"}
    mended = amended(guess, {"company": "firm"})
    import_file(first, into, SALT, mapping=mended)
    assert (into / "mappings" / "ats.toml").exists()
    second = given(tmp_path, "later.csv", "candidate;firm;current role\nJo Berg;Initech;Head\n")
    done = keep(second, into)
    assert done.mapping is not None
    assert done.mapping.name == "ats"
    said = {record.fields["name"]: record.fields["company"] for record in load(into)}
    assert said == {"Mira Lund": "ACME", "Jo Berg": "Initech"}


def test_a_mapping_with_an_unknown_field_or_column_is_refused(tmp_path: Path, into: Path) -> None:
    guess = mapping_of(given(tmp_path, "a.csv", "Name,Firm\nMira Lund,ACME\n"), into)
    assert guess is not None
    with pytest.raises(BadInput, match="no column is called 'Company'; the columns are Name, Firm"):
        amended(guess, {"company": "Company"})
    with pytest.raises(BadInput, match="no field is called 'age'"):
        amended(guess, {"age": "Firm"})


def test_a_table_that_names_nobody_is_refused(tmp_path: Path, into: Path) -> None:
    with pytest.raises(BadInput, match="no column names a person"):
        keep(given(tmp_path, "a.csv", "Colour,Size\nred,4\n"), into)


def test_workbooks_are_read_from_their_first_sheet_with_rows(tmp_path: Path, into: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("People")
    sheet.append(["Full report", None, None])
    sheet.append(["Candidate ID", "Full Name", "Last Contacted"])
    sheet.append([17.0, "Mira Lundgren", datetime(2026, 5, 4)])
    book.save(tmp_path / "export.xlsx")
    keep(tmp_path / "export.xlsx", into)
    record = only(into)
    assert (record.key, record.fields["name"]) == ("17", "Mira Lundgren")
    assert record.fetched_at == datetime(2026, 5, 4, tzinfo=UTC)


def test_a_workbook_that_would_burst_is_refused(tmp_path: Path, into: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * 60_000_000)
    with pytest.raises(BadInput, match="would unpack"):
        keep(bomb, into)


def test_rows_of_another_width_are_named_and_the_rest_is_kept(tmp_path: Path, into: Path) -> None:
    text = "name,company\nMira Lund,ACME\nJo\nBerg,Initech,Ltd\n,\nCy Roe,X,\n,Umbrella\n"
    done = keep(given(tmp_path, "a.csv", text), into)
    assert [(row.line, row.reason.split(":")[0]) for row in done.unread] == [
        (3, "it has 1 cell where the header has 2"),
        (4, "it has 3 cells where the header has 2"),
        (7, "it names nobody"),
    ]
    assert {record.fields["name"] for record in load(into)} == {"Mira Lund", "Cy Roe"}


def test_the_newest_of_several_rows_of_one_candidate_is_kept(tmp_path: Path, into: Path) -> None:
    text = (
        "candidate id,name,title,last contacted\n"
        "9,Mira Lund,Staff,2026-05-01\n9,Mira Lund,Senior,2025-05-01\n"
    )
    done = keep(given(tmp_path, "a.csv", text), into)
    assert (done.records, done.duplicates) == (1, 1)
    assert only(into).fields["title"] == "Staff"


def test_do_not_contact_is_no_openness(tmp_path: Path, into: Path) -> None:
    text = "name,open to offers,do not contact\nMira Lund,yes,yes\nJo Berg,yes,no\n"
    keep(given(tmp_path, "a.csv", text), into)
    said = {record.fields["name"]: record.fields["status"] for record in load(into)}
    assert said == {"Mira Lund": "do not contact", "Jo Berg": "open"}


# --- all ----------------------------------------------------------------------------------------


def test_the_same_file_again_changes_nothing_and_says_so(tmp_path: Path, into: Path) -> None:
    file = given(tmp_path, "Connections.csv", CONNECTIONS)
    assert keep(file, into).already is None
    before = {path: path.read_bytes() for path in into.glob("*.parquet")}
    again = keep(given(tmp_path, "copy.csv", CONNECTIONS), into)
    assert again.already is not None
    assert again.records == 2
    assert {path: path.read_bytes() for path in into.glob("*.parquet")} == before


def test_no_email_reaches_the_disk(tmp_path: Path, into: Path) -> None:
    text = "id,name,email,bio\nmira@lund.dev,Mira Lund,mira@lund.dev,write to mira@lund.dev\n"
    keep(given(tmp_path, "a.csv", text), into)
    keep(given(tmp_path, "Connections.csv", CONNECTIONS), into)
    keep(given(tmp_path, "resume.json", json.dumps(RESUME)), into)
    kept = str(load(into)) + "".join(str(path) for path in into.rglob("*"))
    assert "lund.dev" not in kept
    assert "mira@" not in kept


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is empty"),
        ("{}", "JSON of no known shape"),
        ("name,company\n", "holds no record"),
        (b"PK\3\4 broken", "damaged archive"),
    ],
)
def test_what_cannot_be_read_says_why(
    tmp_path: Path, into: Path, content: str | bytes, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        keep(given(tmp_path, "file", content), into)


def test_a_file_that_is_not_there_says_so(tmp_path: Path, into: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        keep(tmp_path / "none.csv", into)
