"""The made-up histories and profiles that the demo and the tests run on.

`write(into)` makes two bare git repositories, shaped like vLLM's and SGLang's, three profile files
and what GitHub would say of accounts and reviews.

`truth()` says what is true of them: who is who, who wrote what, and who answers the seed
question. Every person, address, login and sentence is invented; the same code gives the same SHAs.

The way of the data: people.toml, crowd.toml, themes.toml (data) -> cast, crowd, themes -> ordinary,
oddities, trailers, joins, robots, standing (who does what when) -> history (one ordered list) ->
stream (git), truths (what is true), profiles
(files), github (accounts and reviews; reviews.toml).
"""

from ingest.sample.truths import Truth, truth
from ingest.sample.writing import Sample, write

__all__ = ["Sample", "Truth", "truth", "write"]
