"""Email addresses: which of them tell people apart, and which GitHub account they name."""

import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256


class Kind(StrEnum):
    """How far an address can be trusted to be one person's."""

    ACCOUNT = "account"
    PERSONAL = "personal"
    ROLE = "role"
    HOST = "host"
    PLACEHOLDER = "placeholder"


GITHUB = re.compile(
    r"(?:(?P<id>\d+)\+)?(?P<login>[^@+\s]+)@(?:users\.)?noreply\.github(?:\.com?)?$", re.IGNORECASE
)
MADE_UP_DOMAINS = re.compile(
    r"(?:^|\.)(?:example|test|yourdomain|your-domain)\.(?:com|org|net)$|^(?:github\.com|test)$"
)
PLACEHOLDER_LOCALS = {"you", "your", "yourname", "your.name", "your.email", "youremail", "email"}
NOBODY_LOCALS = {
    "root", "ubuntu", "admin", "administrator", "user", "test", "ec2-user", "azureuser", "git",
    "nobody", "none", "null", "noreply", "no-reply", "no-replay", "debian", "centos", "vagrant",
    "jenkins", "runner", "docker", "host", "localhost", "unknown", "devnull",
}  # fmt: skip
ROLE_LOCALS = {
    "info", "support", "team", "contact", "hello", "opensource", "oss", "dev", "devs", "admin",
    "engineering", "security", "help", "office", "mail", "me", "build", "ci", "ops", "infra",
}  # fmt: skip
HOST_ENDINGS = {
    "local", "lan", "internal", "localdomain", "cluster", "home", "corp", "intranet", "private",
    "dcgpu", "arpa", "node", "host", "docker", "lab", "localhost", "none", "compute", "hpc",
}  # fmt: skip
OPEN_TO_ALL = {
    "gmail.com", "qq.com", "vip.qq.com", "163.com", "126.com", "outlook.com", "hotmail.com",
    "foxmail.com", "yahoo.com", "icloud.com", "me.com", "live.com", "msn.com", "hey.com",
    "proton.me", "protonmail.com", "sina.com", "sina.cn", "aliyun.com", "139.com", "yeah.net",
    "naver.com", "mail.ru", "yandex.ru", "gmx.de", "web.de", "fastmail.com", "pm.me",
}  # fmt: skip
DOTLESS = {"gmail.com", "googlemail.com"}


@dataclass(frozen=True, slots=True)
class Address:
    """What an address says; `key` is equal for spellings of one mailbox."""

    key: str
    local: str
    kind: Kind
    login: str | None = None
    github_id: int | None = None

    @property
    def domain(self) -> str:
        return self.key.rpartition("@")[2]

    @property
    def is_own(self) -> bool:
        """Whether the mailbox is one person's, so that it tells who that is."""
        return self.kind in (Kind.PERSONAL, Kind.ACCOUNT)

    @property
    def is_company(self) -> bool:
        """Whether only those of one house have such an address."""
        return self.kind in (Kind.PERSONAL, Kind.ROLE) and self.domain not in OPEN_TO_ALL


def read(email: str) -> Address:
    """An address as far as it tells who wrote.

    >>> account = read("1234+mira-l@users.noreply.github.com")
    >>> account.login, account.github_id
    ('mira-l', 1234)
    >>> read("Mira.Lund+git@Gmail.com").key
    'miralund@gmail.com'
    >>> [str(read(text).kind) for text in ("you@example.com", "root@gpu-7", "ml@Mac.lan")]
    ['placeholder', 'placeholder', 'host']
    """
    text = email.strip().casefold()
    github = GITHUB.match(email.strip())
    if github:
        number = github["id"]
        login = github["login"]
        return Address(text, "", Kind.ACCOUNT, login, int(number) if number else None)
    local, _, domain = text.rpartition("@")
    local = local.partition("+")[0] or local
    if domain in DOTLESS:
        local_key, domain = local.replace(".", ""), "gmail.com"
    else:
        local_key = local
    return Address(f"{local_key}@{domain}", local, kind(local, domain))


def hashed(salt: bytes, email: str) -> str:
    """A keyed hash of a mailbox: equal ones compare equal, and nothing leads back.

    >>> hashed(b"s", " Ada+git@Example.org ") == hashed(b"s", "ada@example.org")
    True
    """
    return hmac.new(salt, read(email).key.encode(), sha256).hexdigest()[:32]


def kind(local: str, domain: str) -> Kind:
    """How far a mailbox tells one person from another.

    >>> [str(kind(*mail.split("@"))) for mail in ("mira@gmail.com", "info@firm.example")]
    ['personal', 'role']
    """
    if not local or not domain or local in PLACEHOLDER_LOCALS | NOBODY_LOCALS:
        return Kind.PLACEHOLDER
    if local in ROLE_LOCALS:
        return Kind.ROLE
    ending = domain.rpartition(".")[2]
    made_up = MADE_UP_DOMAINS.search(domain) is not None
    if made_up or "." not in domain or ending in HOST_ENDINGS or ending.isdigit():
        return Kind.HOST
    return Kind.PERSONAL
