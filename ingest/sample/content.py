"""The text of the made-up files: small, real-looking, and changed a line at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ingest.sample.dice import pick, roll

LINES = 5
WORDS = (
    *("block_table", "num_tokens", "hidden_size", "stride", "max_seq_len", "batch_index", "scale"),
    *("slot_mapping", "query_len", "head_dim", "request_id", "workspace", "timeout_ms", "offset"),
    *("num_warps", "page_size", "stream_id", "budget", "cursor", "payload", "deadline", "prefix"),
)


@dataclass(slots=True)
class Unit:
    """A function or class, and how often it was changed."""

    name: str
    version: int = 0


@dataclass(slots=True)
class Source:
    """A file as the units it defines; `layout` counts how often it was reformatted."""

    kind: str
    units: list[Unit]
    layout: int = 0

    def text(self) -> bytes:
        draw = PAINTERS.get(self.kind, _prose)
        parts = [draw(unit.name, unit.version, self.layout) for unit in self.units]
        if self.kind == "json":
            return ("{\n" + ",\n".join(parts) + "\n}\n").encode()
        return "\n".join(parts).encode()


def kind_of(path: str) -> str:
    """Which painter a path needs.

    >>> kind_of("csrc/moe/topk.cu"), kind_of("docs/faq.md"), kind_of("docker/Dockerfile")
    ('c', 'md', 'dockerfile')
    """
    last = path.rpartition("/")[2].lower()
    suffix = last.rpartition(".")[2] if "." in last else last.partition(".")[0]
    return {"cu": "c", "cuh": "c", "cpp": "c", "h": "c", "hpp": "c", "yml": "yaml"}.get(
        suffix, suffix
    )


def new_source(path: str, names: tuple[str, ...]) -> Source:
    """A new file with some of the names, the first being its own.

    >>> print(new_source("a/pick.py", ("draw",)).text().decode().splitlines()[0])
    def pick(hidden_states, config):
    """
    stem = path.rpartition("/")[2].partition(".")[0].replace("-", "_")
    some = [name for name in names if roll(3, path, name)] or list(names)
    return Source(kind_of(path), [Unit(stem), *(Unit(name) for name in some)])


def _line(name: str, index: int, version: int) -> tuple[str, str, int]:
    """Line `index` changes with every LINES-th version only."""
    age = (version - index + LINES - 1) // LINES
    target = pick(WORDS, name, index, age)
    return target, pick(WORDS, index, name, age), roll(512, name, age, index)


@lru_cache(maxsize=8192)
def _python(name: str, version: int, layout: int) -> str:
    pad = " " * (4 if layout % 2 == 0 else 2)
    if name[:1].isupper():
        head = [
            f"class {name}:",
            f"{pad}def __init__(self, config):",
            f"{pad * 2}self.config = config",
        ]
        inner = [f"{pad * 2}self.{a} = config.{b} + {n}" for a, b, n in _lines(name, version)]
        return "\n".join([*head, *inner, ""])
    inner = [f"{pad}{a} = config.{b} * {n}" for a, b, n in _lines(name, version)]
    return "\n".join(
        [f"def {name}(hidden_states, config):", *inner, f"{pad}return hidden_states", ""]
    )


@lru_cache(maxsize=8192)
def _c(name: str, version: int, layout: int) -> str:
    pad = " " * (2 if layout % 2 == 0 else 4)
    inner = [f"{pad}const int {a} = {b}_of(args) + {n};" for a, b, n in _lines(name, version)]
    return "\n".join([f"__global__ void {name}(const Args args) {{", *inner, "}", ""])


@lru_cache(maxsize=4096)
def _rust(name: str, version: int, layout: int) -> str:
    pad = " " * (4 if layout % 2 == 0 else 2)
    inner = [f"{pad}let {a} = state.{b} + {n};" for a, b, n in _lines(name, version)]
    head = f"pub fn {name}(state: &State) {{"
    if name[:1].isupper():
        head = f"impl Worker for {name} {{"
    return "\n".join([head, *inner, "}", ""])


@lru_cache(maxsize=4096)
def _prose(name: str, version: int, layout: int) -> str:
    mark = "##" if layout % 2 == 0 else "#"
    inner = [f"Set `{a}` from `{b}`; {n} is a good start." for a, b, n in _lines(name, version)]
    return "\n".join([f"{mark} {name}", "", *inner, ""])


@lru_cache(maxsize=4096)
def _settings(name: str, version: int, layout: int) -> str:
    pad = " " * (2 if layout % 2 == 0 else 4)
    return "\n".join([f"{name}:", *(f"{pad}{a}_{b}: {n}" for a, b, n in _lines(name, version)), ""])


@lru_cache(maxsize=4096)
def _json(name: str, version: int, layout: int) -> str:
    pad = " " * (2 + 2 * (layout % 2))
    inner = ", ".join(f'"{a}": {n}' for a, _, n in _lines(name, version))
    return f'{pad}"{name}": {{{inner}}}'


def _lines(name: str, version: int) -> list[tuple[str, str, int]]:
    return [_line(name, index, version) for index in range(LINES)]


Painter = Callable[[str, int, int], str]
PAINTERS: dict[str, Painter] = {
    "py": _python,
    "c": _c,
    "rs": _rust,
    "yaml": _settings,
    "toml": _settings,
    "json": _json,
}
