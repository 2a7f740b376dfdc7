"""English words that are a slip away from others: `python -m tests.bench.near_words_of LIST`.

Writes sourcer/query/near_words.txt; to be run when a lexicon grows. LIST is any list of English
words, one a line; several may be given. A word that is met in both code bases is worth a line too.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from sourcer.query import corrections, default_vocabulary

NEAR = Path(corrections.__file__).with_name("near_words.txt")


def near(words: Iterable[str]) -> Iterator[str]:
    """The words that would be corrected if they were not listed."""
    targets = default_vocabulary().targets
    for word in words:
        if word.isascii() and word.isalpha() and corrections.nearest(word, targets):
            yield word


def main() -> None:
    listed = {word for path in sys.argv[1:] for word in Path(path).read_text("utf-8").split()}
    NEAR.write_text("", "utf-8")
    NEAR.write_text("\n".join(sorted(near(map(str.lower, listed)))) + "\n", "utf-8")


if __name__ == "__main__":
    main()
