"""Companies, schools and labs: by name, in declared text, by email domain, and over time."""

from collections.abc import Mapping

from sourcer.companies.affiliations import Affiliation, affiliations
from sourcer.companies.catalogue import Company, also_word, belongs, find, names, shown_name
from sourcer.companies.declared import read, read_past
from sourcer.companies.domains import DomainKind, Employer, employer_of

NAMES: Mapping[str, str] = names()

__all__ = [
    "NAMES",
    "Affiliation",
    "Company",
    "DomainKind",
    "Employer",
    "affiliations",
    "also_word",
    "belongs",
    "employer_of",
    "find",
    "read",
    "read_past",
    "shown_name",
]
