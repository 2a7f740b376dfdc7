"""How much work a changed file shows: kernels most, tuning tables and generated files least."""

import re
from enum import StrEnum
from functools import lru_cache


class Kind(StrEnum):
    """What a file is, by its path alone."""

    KERNEL = "kernel"
    CODE = "code"
    TEST = "test"
    DOCS = "documentation"
    BUILD = "build"
    CONFIGURATION = "configuration table"
    GENERATED = "generated or vendored"


TRIVIAL = frozenset({Kind.CONFIGURATION, Kind.GENERATED})
KINDS = tuple(Kind)
"""Weightiest first; a kind's place here is its code in an index."""
_KERNEL_ENDINGS = frozenset({"cu", "cuh", "hip", "ptx", "metal", "asm"})
_CODE = "c cc cpp cxx h hpp py pyx pyi rs go js jsx ts tsx java kt swift scala cs jl zig lua rb php"
_CODE_ENDINGS = frozenset(_CODE.split())
_DOC_ENDINGS = frozenset({"md", "mdx", "rst", "ipynb", "txt", "adoc", "png", "svg", "jpg", "gif"})
_BUILD_FILES = r"Dockerfile[^/]*|CMakeLists\.txt|Makefile|setup\.(py|cfg)|pyproject\.toml"
_RULES = (
    (Kind.GENERATED, re.compile(r"(^|/)(third_?party|vendor(ed)?|3rdparty|node_modules|dist)/")),
    (
        Kind.GENERATED,
        re.compile(r"(_pb2(_grpc)?\.pyi?|\.lock|\.min\.(js|css)|-lock\.(ya?ml|json))$"),
    ),
    (Kind.GENERATED, re.compile(r"(^|[/_.])(auto)?generated([/_.]|$)")),
    (Kind.CONFIGURATION, re.compile(r"(^|/)configs?/(.*/)?[^/]*\.(json|ya?ml)$")),
    (Kind.CONFIGURATION, re.compile(r"E=\d+.*\.json$|/tuned_[^/]*\.(csv|json)$")),
    (Kind.TEST, re.compile(r"(^|/)tests?/|(^|/)test_[^/]*$|_test\.\w+$")),
    (Kind.BUILD, re.compile(rf"(^|/)({_BUILD_FILES}|requirements[^/]*)$|\.cmake$")),
    (Kind.BUILD, re.compile(r"^\.(github|buildkite|ci)/")),
    (Kind.KERNEL, re.compile(r"(^|[/_])(triton|kernels?|cutlass|cute)([/_].*)?\.(py|h|hpp|cpp)$")),
)


@lru_cache(maxsize=1 << 16)
def kind_of(path: str) -> Kind:
    """
    >>> kind_of("csrc/moe/topk.cu"), kind_of("vllm/fused_moe/configs/E=8,N=7168.json")
    (<Kind.KERNEL: 'kernel'>, <Kind.CONFIGURATION: 'configuration table'>)
    >>> kind_of("vllm/v1/core/sched/scheduler.py"), kind_of("LICENSE")
    (<Kind.CODE: 'code'>, <Kind.DOCS: 'documentation'>)
    """
    for kind, rule in _RULES:
        if rule.search(path):
            return kind
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower()
    if ending in _KERNEL_ENDINGS:
        return Kind.KERNEL
    if ending in _CODE_ENDINGS:
        return Kind.CODE
    return Kind.DOCS if ending in _DOC_ENDINGS or "." not in name else Kind.BUILD


BULK = 100
"""Files above which a commit is a sweep: a move, a rename of a package, a new formatter."""
_CHORE = re.compile(
    r"\b(re)?format(ting|ter)?\b(?! (string|json|grammar|output|response))"
    r"|\b(chore|isort|ruff|pre-commit|yapf|typos?|bump|licen[cs]e headers?)\b|^revert\b",
    re.IGNORECASE,
)
CHORE_LIKE = "format|chore|isort|ruff|pre-commit|yapf|typo|bump|licen|revert"
"""Some of this is in every subject that announces one, whatever the case: a first look at many."""


@lru_cache(maxsize=1 << 16)
def is_chore(subject: str) -> bool:
    """Whether a subject announces formatting, a version bump, typos or a revert.

    >>> is_chore("[CI] Fix typo in README"), is_chore("Add KV connector")
    (True, False)
    """
    return _CHORE.search(subject) is not None
