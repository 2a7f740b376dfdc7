"""The files of a repository while its history is being written, and git's words for each change."""

from collections.abc import Iterator

from ingest.sample.content import Source, Unit, new_source
from ingest.sample.dice import chance, roll
from ingest.sample.planned import Drop, Edit, Put, Reformat, Rename, Restate, Touch


class Tree:
    """What is at which path now; every change comes back as lines for git fast-import.

    >>> tree = Tree()
    >>> [line.split(b"\\n")[0] for line in tree.apply((Touch("a.py", ("f",)),), "first")]
    [b'M 100644 inline a.py']
    >>> list(tree.apply((Rename("a.py", "b.py"),), "second"))
    [b'R a.py b.py\\n']
    """

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._touched: dict[str, list[tuple[Source, Unit, int]]] = {}

    def apply(self, edits: tuple[Edit, ...], key: str) -> Iterator[bytes]:
        for edit in edits:
            match edit:
                case Touch():
                    yield self._touch(edit, key)
                case Restate():
                    yield written(edit.path, self._sources[edit.path].text())
                case Rename():
                    yield from self._rename(edit)
                case Reformat():
                    yield from self._reformat(edit)
                case Put():
                    yield written(edit.path, edit.content, edit.mode)
                case Drop():
                    self._sources.pop(edit.path, None)
                    yield b"D " + quoted(edit.path) + b"\n"

    def undo(self, key: str) -> Iterator[bytes]:
        """Takes back what the commit of that key changed in files that are still there."""
        changed = self._touched.get(key, [])
        for _, unit, steps in changed:
            unit.version -= steps
        for path, source in self._sources.items() if changed else ():
            if any(source is each for each, _, _ in changed):
                yield written(path, source.text())

    def _touch(self, edit: Touch, key: str) -> bytes:
        source = self._sources.get(edit.path)
        if source is None:
            source = self._sources[edit.path] = new_source(edit.path, edit.names)
        else:
            self._change(source, key)
        return written(edit.path, source.text())

    def _change(self, source: Source, key: str) -> None:
        if chance(10, "new unit", key) and len(source.units) < 24:
            name = f"{source.units[0].name}_{roll(90, key) + 10}"
            if source.kind in ("py", "c", "rs") and name not in {u.name for u in source.units}:
                source.units.append(Unit(name))
        unit = source.units[roll(len(source.units), source.units[0].name, key)]
        steps = 1 + roll(4, "steps", key)
        unit.version += steps
        self._touched.setdefault(key, []).append((source, unit, steps))

    def _rename(self, edit: Rename) -> Iterator[bytes]:
        for path in [each for each in self._sources if each.startswith(edit.old)]:
            new = edit.new + path[len(edit.old) :]
            self._sources[new] = self._sources.pop(path)
            yield b"R " + quoted(path) + b" " + quoted(new) + b"\n"

    def _reformat(self, edit: Reformat) -> Iterator[bytes]:
        for path, source in self._sources.items():
            if path.startswith(edit.under) and source.kind in ("py", "c"):
                source.layout += 1
                yield written(path, source.text())


def written(path: str, content: bytes, mode: str = "100644") -> bytes:
    """A file for fast-import; a submodule's content is the sha that it points to."""
    if mode == "160000":
        return b"M 160000 " + content + b" " + quoted(path) + b"\n"
    return b"M %s inline %s\ndata %d\n%s\n" % (mode.encode(), quoted(path), len(content), content)


def quoted(path: str) -> bytes:
    """A path as fast-import reads it; bytes that are not UTF-8 come as surrogates.

    >>> quoted('a b'), quoted('new\\nline'), quoted('\\udcff')
    (b'"a b"', b'"new\\\\nline"', b'\\xff')
    """
    raw = path.encode("utf-8", "surrogateescape")
    if not any(byte in raw for byte in b' "\n\\'):
        return raw
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        raw = raw.replace(plain, escaped)
    return b'"' + raw + b'"'
