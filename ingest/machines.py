"""Bots, AI agents and default users: signatures that are nobody's work.

When in doubt a signature stays a person of its own, and `doubt` says what looked odd: losing a
person is worse than listing one bot too many, and a human can see why.
"""

import re

from ingest import names
from sourcer import addresses
from sourcer.addresses import Address, Kind
from sourcer.resolution import Machine

BOT_NAMES = re.compile(
    r"\[bot\]$|^(?:dependabot|renovate|mergify|web-flow|github-actions|github|pre-commit-ci)$", re.I
)
GITHUB_ITSELF = {"noreply@github.com", "support@github.com", "actions@github.com"}
AGENT_ADDRESS = re.compile(
    r"^(?:no-?reply|claude|codex|copilot|cursor-?agent|cursor|agent|aider|openhands|devin[\w-]*)"
    r"@(?:[\w-]+\.)*(?:anthropic|openai|cursor|google|aider|opencode|all-hands|devin|cognition"
    r"|windsurf|codeium|ampcode|factory)\.(?:com|ai|dev|chat)$"
    r"|^copilot@github\.com$|-agent@|@[\w.-]*(?:codex|copilot|claude-code)[\w-]*\.\w+$"
)
AGENT_NAME = re.compile(
    r"^(?:github )?copilot(?: autofix.*| coding agent| swe agent)?$"
    r"|^claude (?:code|opus|sonnet|haiku|fable|instant|ai|\d).*$"
    r"|^(?:openai )?codex(?: cli| agent| gpt.*| \(.*\))?$|^(?:chat)?gpt[- ]?\d.*$"
    r"|^cursor(?: agent| ai| bot)?$|^gemini[- ](?:code[- ]assist|cli|\d.*|pro|flash).*$"
    r"|^(?:openhands|opencode|windsurf|qwen[- ]coder|google jules|devin ai"
    r"|aider \(.*\))(?: agent)?$",
    re.I,
)
HUMAN_AGENT_NAME = re.compile(r"^(?:claude|devin|jules|gemini|aider|amp|cody)$", re.I)
BRANDED = re.compile(r"[\s_-](?:codex|claude|copilot)$", re.I)
MACHINE_WORD = re.compile(
    r"[\s_-](?:bot|ci|agent|assistant|automation|actions|robot)(?:$|[\s_-])", re.I
)
SERVICE = re.compile(r"^svc[_-]|[_-]service[_-]account$", re.I)
ODD_WORD = re.compile(
    r"(?:^|[\s_-])(?:bot|agent|claude|codex|copilot|gpt|gemini)(?:$|[\s_-])|bot$", re.I
)


def is_machine(name: str, email: str, projects: frozenset[str] = frozenset()) -> Machine | None:
    """Whether a signature is a bot's, an AI agent's or nobody's; None: a person's.

    >>> str(is_machine("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"))
    'bot'
    >>> str(is_machine("Claude Opus 4.6 (1M context)", "noreply@anthropic.com"))
    'agent'
    >>> str(is_machine("root", "root@gpu-01.cluster.local"))
    'nobody'
    >>> str(is_machine("Acme Assistant", "hi@firm.example", projects=frozenset({"acme"})))
    'bot'
    >>> is_machine("Claude Moreau", "claude.moreau@firm.example") is None
    True
    """
    address = addresses.read(email)
    if is_agent(name.strip(), email.strip().casefold(), address):
        return Machine.AGENT
    if is_bot(name.strip(), email.strip().casefold(), address, projects):
        return Machine.BOT
    return Machine.NOBODY if is_nobody(name, address, projects) else None


def is_agent(name: str, email: str, address: Address) -> bool:
    """By name; by address only when the name is no human's, for people borrow agents' mail."""
    login = (address.login or "").casefold()
    if AGENT_NAME.match(name) or login == "copilot":
        return True
    if AGENT_ADDRESS.search(email):
        own = names.squeeze(name) in names.squeeze(address.key)
        return own or HUMAN_AGENT_NAME.match(name) is not None or ODD_WORD.search(name) is not None
    return BRANDED.search(name) is not None and BRANDED.search(login) is not None


def is_bot(name: str, email: str, address: Address, projects: frozenset[str]) -> bool:
    if BOT_NAMES.search(name) or BOT_NAMES.search(address.login or "") or SERVICE.search(name):
        return True
    if email in GITHUB_ITSELF:
        return not names.read(name).full
    if MACHINE_WORD.search(name) and is_of_project(name, projects):
        return True
    return MACHINE_WORD.search(name) is not None and names.squeeze(name) == names.squeeze(
        address.local
    )


def is_nobody(name: str, address: Address, projects: frozenset[str]) -> bool:
    if address.kind is Kind.PLACEHOLDER and is_of_project(name, projects):
        return True
    return names.read(name).generic and address.kind is Kind.PLACEHOLDER


def is_of_project(name: str, projects: frozenset[str]) -> bool:
    """Whether a name begins with a project's own: "engine-npu-bot", "Engine Assistant"."""
    first = re.split(r"[\s_-]", name.casefold(), maxsplit=1)[0]
    return first in {project.casefold() for project in projects}


def doubt(name: str, email: str) -> str | None:
    """What looks machine-like about a signature that is treated as a person's.

    >>> doubt("zhangbot", "zhangbot@firm.example")
    'the name looks like a machine’s'
    >>> doubt("mira-l", "cursoragent@cursor.com")
    'a person’s name with an AI agent’s address'
    >>> doubt("Mira Lund", "mira@firm.example") is None
    True
    """
    if AGENT_ADDRESS.search(email.strip().casefold()) or email.strip().casefold() in GITHUB_ITSELF:
        return "a person’s name with an AI agent’s address"
    if ODD_WORD.search(name) and not names.read(name).full:
        return "the name looks like a machine’s"
    return None
