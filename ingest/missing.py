"""Objects that a mirror lacks: partial clones, damaged and trimmed mirrors.

The scratch repository gets an empty stand-in for each, so that git can go on; what was said
of a stand-in is then not believed.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from ingest.gitchild import GitFailed, answer
from sourcer.errors import CrawlFailed

CUT = re.compile(r"Failed to traverse parents of commit ([0-9a-f]{40,64})")
MOST_CUTS = 1000


@dataclass(frozen=True, slots=True)
class Missing:
    """The objects that the head reaches and that are not there."""

    blobs: frozenset[bytes] = frozenset()
    """In hex; a change that rests on one has line counts that nobody can know."""
    trees: frozenset[bytes] = frozenset()
    """In hex; what changed below one cannot be known."""
    rootless: frozenset[str] = frozenset()
    """Commits whose whole tree is missing, or whose first parent's is."""

    @property
    def objects(self) -> frozenset[bytes]:
        return self.blobs | self.trees


def mend(scratch: Path, head: str, *, blobs: bool) -> Missing:
    """Finds what is missing (of blobs only if asked) and puts stand-ins into the scratch.

    Takes seconds: rev-list walks all trees once.
    """
    trees = _missing(scratch, head, "--filter=blob:none")
    _stand_in(scratch, trees, "tree")
    gone = _missing(scratch, head) - trees if blobs else frozenset()
    _stand_in(scratch, gone, "blob")
    return Missing(gone, trees, _rootless(scratch, head, trees) if trees else frozenset())


def reachable(scratch: Path, head: str) -> list[str]:
    """Every commit from the head, oldest first; a missing one ends the history there."""
    try:
        return _listed(scratch, "--topo-order", "--reverse", head)
    except GitFailed:
        if not _cut_short(scratch, head):
            raise
    return _listed(scratch, "--topo-order", "--reverse", head)


def _cut_short(scratch: Path, head: str) -> int:
    """Makes commits whose parents are missing the ends of a shallow history; how many."""
    for cuts in range(MOST_CUTS):
        try:
            _listed(scratch, head)
        except GitFailed as error:
            found = CUT.search(str(error))
            if not found:
                raise
            with (scratch / "shallow").open("a") as shallow:
                shallow.write(f"{found[1]}\n")
        else:
            return cuts
    raise CrawlFailed(f"more than {MOST_CUTS} commits are missing; clone the repository again")


def _listed(scratch: Path, *options: str) -> list[str]:
    return answer(scratch, "rev-list", *options, "--").split()


def _missing(scratch: Path, head: str, *options: str) -> frozenset[bytes]:
    listed = ("rev-list", "--objects", "--no-object-names", "--missing=print", *options, head)
    lines = answer(scratch, *listed, "--").splitlines()
    return frozenset(line[1:].encode() for line in lines if line.startswith("?"))


def _stand_in(scratch: Path, gone: frozenset[bytes], kind: str) -> None:
    """A replacement per object, written as packed refs: one file however many they are."""
    if not gone:
        return
    empty = answer(scratch, "hash-object", "-t", kind, "-w", "--stdin")
    with (scratch / "packed-refs").open("a") as refs:
        refs.writelines(f"{empty} refs/replace/{sha.decode()}\n" for sha in sorted(gone))


def _rootless(scratch: Path, head: str, trees: frozenset[bytes]) -> frozenset[str]:
    listed = answer(scratch, "log", "--format=%H %T %P", head, "--").splitlines()
    rows = [line.split() for line in listed]
    bare = {sha for sha, tree, *_ in rows if tree.encode() in trees}
    return frozenset(sha for sha, _, *parents in rows if bare.intersection((sha, *parents[:1])))
