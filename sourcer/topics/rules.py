"""Which topics a path or a symbol belongs to, by the patterns of topics.toml."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import translate

from sourcer.phrases import Phrases, words
from sourcer.topics.file import ANYWHERE, Topic


class PathRules:
    """The path patterns that hold in one repository, each path looked at once.

    >>> moe = Topic("moe", "MoE", "Experts", path_words=("moe",), paths=(("vllm", ("eplb/",)),))
    >>> rules = PathRules([moe], "vllm")
    >>> rules.topics("eplb/map.cu"), rules.topics("a/fused_moe.py"), rules.topics("a/b.py")
    (('moe',), ('moe',), ())
    """

    def __init__(self, topics: Iterable[Topic], repo: str) -> None:
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._files: dict[str, list[str]] = defaultdict(list)
        self._globs: list[tuple[re.Pattern[str], str]] = []
        self._refused: dict[str, Phrases[None]] = {}
        phrases: list[tuple[str, str]] = []
        for topic in topics:
            phrases += [(phrase, topic.id) for phrase in topic.path_words]
            if topic.not_path_words:
                self._refused[topic.id] = Phrases((phrase, None) for phrase in topic.not_path_words)
            for where, patterns in topic.paths:
                if where in (ANYWHERE, repo):
                    self._add(topic.id, patterns)
        self._phrases = Phrases(phrases)
        self._seen: dict[str, tuple[str, ...]] = {}

    def topics(self, path: str) -> tuple[str, ...]:
        found = self._seen.get(path)
        if found is None:
            found = self._seen[path] = tuple(self._find(path))
        return found

    def _add(self, topic: str, patterns: Iterable[str]) -> None:
        for pattern in patterns:
            if "*" in pattern:
                whole = pattern + "*" if pattern.endswith("/") else pattern
                self._globs.append((re.compile(translate(whole)), topic))
            elif pattern.endswith("/"):
                self._folders[pattern].append(topic)
            else:
                self._files[pattern].append(topic)

    def _find(self, path: str) -> Iterator[str]:
        text = words(path)
        found = {*self._by_place(path), *self._by_words(text)}
        for topic in sorted(found):
            refused = self._refused.get(topic)
            if refused is None or not refused.found_in(text):
                yield topic

    def _by_place(self, path: str) -> Iterator[str]:
        yield from self._files.get(path, ())
        slash = path.find("/")
        while slash >= 0:
            yield from self._folders.get(path[: slash + 1], ())
            slash = path.find("/", slash + 1)
        yield from (topic for glob, topic in self._globs if glob.match(path))

    def _by_words(self, text: list[str]) -> Iterator[str]:
        for hit in self._phrases.find_all(text):
            yield from hit.meanings


class SymbolRules:
    """Patterns over the names of functions, classes and identifiers; case counts.

    >>> moe = Topic("moe", "MoE", "Experts", symbols=("*FusedMoE*",))
    >>> SymbolRules([moe]).topics("MyFusedMoEMethod")
    ('moe',)
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._rules = [
            (re.compile("|".join(translate(symbol) for symbol in topic.symbols)), topic.id)
            for topic in topics
            if topic.symbols
        ]
        self._seen: dict[str, tuple[str, ...]] = {}

    def topics(self, symbol: str) -> tuple[str, ...]:
        found = self._seen.get(symbol)
        if found is None:
            found = tuple(topic for rule, topic in self._rules if rule.match(symbol))
            self._seen[symbol] = found
        return found
