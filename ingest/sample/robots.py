"""Commits by bots and AI agents: noise that must never become a candidate."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ingest.sample.dice import pick, roll
from ingest.sample.planned import Planned, Put, Touch
from sourcer.commits import Signature

DEPENDABOT = Signature("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")
BOTS = {
    "dependabot": DEPENDABOT,
    "github-actions": Signature(
        "github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"
    ),
    "mergify": Signature("mergify[bot]", "37929162+mergify[bot]@users.noreply.github.com"),
    "pre-commit-ci": Signature(
        "pre-commit-ci[bot]", "66853113+pre-commit-ci[bot]@users.noreply.github.com"
    ),
    "renovate without [bot] in its name": Signature(
        "renovate", "29139614+renovate[bot]@users.noreply.github.com"
    ),
    "bot with an ordinary mailbox": Signature("kvlane-bot", "kvlanebot@quillstone.example"),
    "AI agent as author: Copilot": Signature(
        "Copilot", "223556219+Copilot@users.noreply.github.com"
    ),
    "AI agent as author: Cursor": Signature("Cursor Agent", "cursoragent@cursor.com"),
    "AI agent as author: Codex": Signature("OpenAI Codex", "noreply@openai.com"),
    "AI agent as author: Claude": Signature("Claude", "noreply@anthropic.com"),
}
TUNER = Signature("moe-tuner[bot]", "799000111+moe-tuner[bot]@users.noreply.github.com")
PACKAGES = ("actions/checkout", "actions/setup-python", "pypa/gh-action-pypi-publish", "codespell")
CONFIGS = {
    "vllm": "vllm/model_executor/layers/fused_moe/configs",
    "sglang": "python/sglang/srt/layers/moe/fused_moe_triton/configs/triton_3_5_1",
}


def robots(repo: str) -> Iterator[Planned]:
    """One commit of every bot and agent, and the tables of the tuning bot."""
    for number, (case, who) in enumerate(BOTS.items()):
        when = datetime(2025, 8, 4, 6, 15, tzinfo=UTC) + timedelta(days=17 * number)
        subject, path = _chore(repo, case)
        edits = (Touch(path, ("settings",)),)
        key = f"{repo}/robot/{case}"
        yield Planned(when, who, subject + " (#{pull})", edits, case=case, key=key)
    for number in range(6):
        when = datetime(2025, 9, 2, 4, 30, tzinfo=UTC) + timedelta(days=40 * number)
        key = f"{repo}/tuner/{number}"
        yield tuning(repo, number, when, TUNER, key, case="bot that tunes MoE tables")


def _chore(repo: str, case: str) -> tuple[str, str]:
    code = {
        "vllm": "vllm/v1/core/kv_cache_utils.py",
        "sglang": "python/sglang/srt/mem_cache/radix_cache.py",
    }
    if case.startswith("AI agent"):
        return "[Bugfix] Fix wrong bound in prefix cache lookup", code[repo]
    return f"Chore by {case.partition(' ')[0]}: refresh generated settings", ".github/generated.yml"


def dependabot(repo: str, count: int) -> Iterator[Planned]:
    """So many version bumps, evenly spread from 2024 on."""
    for number in range(count):
        begins = datetime(2024, 3, 1, 5, 0, tzinfo=UTC)
        when = begins + timedelta(
            days=820 * number // max(1, count), minutes=roll(90, repo, number)
        )
        package = pick(PACKAGES, repo, number)
        subject = (
            f"Bump {package} from {number // 9}.{number % 9} to {number // 9}.{number % 9 + 1}"
        )
        edits = (Touch(".github/workflows/lint.yml", ("jobs",)),)
        signed = ("Signed-off-by: dependabot[bot] <support@github.com>",)
        key = f"{repo}/dependabot/{number}"
        subject += " (#{pull})"
        yield Planned(
            when, DEPENDABOT, subject, edits, trailers=signed, case="dependabot noise", key=key
        )


def tuning(repo: str, number: int, when: datetime, who: Signature, key: str, case: str) -> Planned:
    """A generated table of MoE launch settings and nothing else."""
    experts, size = pick((8, 64, 128, 160, 256), key), 128 * (2 + roll(14, "n", key))
    gpu = pick(("NVIDIA_H100_80GB_HBM3", "NVIDIA_H20", "NVIDIA_B200", "AMD_Instinct_MI300X"), key)
    name = f"E={experts},N={size},device_name={gpu}.json"
    subject = f"Add MoE tuning config E={experts} N={size} for {gpu.split('_')[1]}" + " (#{pull})"
    rows = ",\n".join(
        f'  "{m}": {{"BLOCK_SIZE_M": {16 + m % 64}}}' for m in (1, 8, 64, 512, number + 1)
    )
    content = "{\n" + rows + "\n}\n"
    edits = (Put(f"{CONFIGS[repo]}/{name}", content.encode()),)
    return Planned(when, who, subject, edits, case=case, key=key)
