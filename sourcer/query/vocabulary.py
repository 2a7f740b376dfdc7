"""What is known at the data at hand: the names that a question may use."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from sourcer.query.gazetteer import NAMES as PLACES
from sourcer.query.employers_known import NAMES as COMPANIES
from sourcer.query.lexicons import Entry, Lexicon, word_entries
from sourcer.query.trait_words import trait_entries

REPOSITORIES: Mapping[str, tuple[str, ...]] = {
    "vllm": ("vllm", "v llm", "vllm-project/vllm"),
    "sglang": ("sglang", "sgl-project/sglang", "sg lang"),
    "vllm-ascend": ("vllm-ascend",),
    "flashinfer": ("flashinfer",),
    "mooncake": ("mooncake",),
    "nixl": ("nixl",),
    "flash-linear-attention": ("flash-linear-attention",),
    "flashmla": ("flashmla",),
}
PRODUCTS = frozenset({"flashinfer", "mooncake", "nixl", "flash-linear-attention", "flashmla"})
"""Repositories whose name is also a thing one works on: a repository only in a repository's place."""


@dataclass(frozen=True)
class Vocabulary:
    """Names and aliases, compiled once into a lexicon.

    >>> known = Vocabulary(topics={"moe": ("MoE", "mixture of experts")})
    >>> known.lexicon.knows("mixture-of-experts")
    True
    """

    repositories: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: REPOSITORIES)
    """Short name -> ways to say it."""
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Topic id -> words that people use for it."""
    companies: Mapping[str, str] = field(default_factory=lambda: COMPANIES)
    """Way to say it -> canonical name."""
    lexicon: Lexicon = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lexicon", Lexicon(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        yield from word_entries()
        yield from trait_entries()
        for name, aliases in self.repositories.items():
            yield from (Entry("repo", name, words) for words in (name, *aliases))
        for topic, texts in self.topics.items():
            yield from (Entry("topic", topic, words) for words in (topic, *texts))
        yield from (Entry("company", name, words) for words, name in self.companies.items())
        yield from (Entry("place", words, words) for words in PLACES)


@cache
def default_vocabulary() -> Vocabulary:
    """The names that are known without any data, with a few topics."""
    return Vocabulary(topics=_TOPICS)


_TOPICS: Mapping[str, tuple[str, ...]] = {
    "moe": ("MoE", "mixture of experts", "fused MoE"),
    "expert-parallelism": ("expert parallelism", "expert parallel", "EP", "DeepEP", "EPLB"),
    "pd-disaggregation": (
        "PD disaggregation", "disaggregated prefill", "prefill decode disaggregation",
        "disaggregated serving", "PD分离",
    ),
    "speculative-decoding": ("speculative decoding", "spec decode", "EAGLE", "MTP", "投机解码", "推测解码"),
    "prefix-caching": ("prefix caching", "prefix cache", "radix cache", "前缀缓存"),
    "kv-transfer": ("KV transfer", "KV cache transfer"),
    "quantisation": ("quantization", "quantisation", "FP8", "FP4", "INT4", "量化"),
    "attention-backends": ("attention backend", "attention backends", "FlashAttention", "paged attention"),
    "lora": ("LoRA", "LoRA serving"),
    "multimodal": ("multimodal", "multi modal", "VLM", "vision language"),
    "triton-kernels": ("Triton", "Triton kernels"),
    "cuda-kernels": ("CUDA", "CUDA kernels", "CUDA kernel"),
    "rocm": ("ROCm",),
    "structured-output": ("structured output", "guided decoding"),
    "scheduling": ("scheduler", "scheduling", "chunked prefill", "continuous batching"),
    "distributed-inference": ("distributed inference", "tensor parallel", "pipeline parallel"),
}  # fmt: skip
