"""Subjects are invented. Each topic is shown one that is its own, and one that is not."""

from datetime import date
from pathlib import Path

import pytest

from sourcer.errors import BadSettings
from sourcer.query import parse as parse_question
from sourcer.topics import Taxonomy, load
from sourcer.topics.file import parse

TAXONOMY = load()

NAMED = [
    # topic, a subject that names it, a subject that does not
    ("moe", "Skip empty experts in MoE router logits", "Skip empty pages in the tree"),
    (
        "fused-moe",
        "[Bugfix] FusedMoE layer forgets its bias",
        "[Bugfix] Linear layer forgets its bias",
    ),
    (
        "moe-kernels",
        "Faster grouped GEMM for MoE on small batches",
        "Faster GEMM for small batches",
    ),
    ("expert-parallelism", "Let EP groups span two racks", "Let endpoints span two racks"),
    ("deepep", "DeepEP: low latency dispatch of FP8 tokens", "Dispatch workflow by hand"),
    ("eplb", "Rebalance experts while serving", "Rebalance test shards"),
    (
        "deepgemm",
        "Warm up DeepGEMM before the first request",
        "Warm up Gemma before the first request",
    ),
    ("modelopt", "ModelOpt: read the exported scales", "Optimizer: read the exported states"),
    ("aiter", "AITER paged attention for decode", "FA3 paged attention for decode"),
    ("quark", "Quark: int4 experts", "GGUF: int4 experts"),
    ("built-in-tools", "Call an MCP tool server from the loop", "Call a function from the loop"),
    ("rust-frontend", "[Rust Frontend] Stream tokens", "[Frontend] Stream tokens"),
    ("configuration", "Group the engine args by purpose", "Group the engine steps by purpose"),
    ("transformers-backend", "Transformers backend for encoders", "Attention backend for encoders"),
    ("kernel-languages", "Helion kernel for norms", "CUDA kernel for norms"),
    ("quantization", "AWQ checkpoints with zero points", "Checkpoints with zero layers"),
    ("fp4", "NVFP4 weights for dense layers", "FP8 weights for dense layers"),
    ("attention", "Page-aligned FlashAttention 3 backend", "Page-aligned linear attention state"),
    ("mla", "FlashMLA: support head dim 576", "FlashInfer: support head dim 576"),
    ("sparse-attention", "Fuse the lightning indexer's RoPE", "Fuse the wheel index's upload"),
    ("linear-attention", "Chunked gated delta rule in one pass", "Chunked prefill in one pass"),
    ("kda", "KDA decode kernel for odd head counts", "GDN decode kernel for odd head counts"),
    ("mamba", "Selective scan keeps state in fp32", "Selective retry keeps state in redis"),
    ("kv-cache", "Evict KV cache blocks oldest first", "Evict stale runners oldest first"),
    ("prefix-caching", "Radix cache: count hits per tenant", "Token counts per tenant"),
    ("hybrid-prefix-caching", "Prefix caching for KDA layers", "Prefix caching for dense layers"),
    ("kv-offload", "HiCache: write back in layers", "CPU offload of VAE weights in layers"),
    ("pd-disaggregation", "[P/D] Retry the bootstrap handshake", "[Perf] Retry the handshake"),
    (
        "epd-disaggregation",
        "EPD: encoder sends its features by RDMA",
        "The encoder keeps its features",
    ),
    ("kv-transfer", "NIXL: register memory once", "NCCL: register memory once"),
    ("speculative-decoding", "Verify draft tokens in one pass", "Remove the draft release notes"),
    ("eagle", "EAGLE-3 heads with their own vocabulary", "Heads with their own vocabulary"),
    ("mtp", "MTP layers share the embedding", "All layers share the embedding"),
    ("dflash", "DFlash: cache the block mask", "Flash: cache the block mask"),
    ("ngram-speculation", "N-gram proposer in C++", "Proposal for a C++ style"),
    ("kernels", "[Kernel] Vectorised RMSNorm", "[Core] Vectorised hashing"),
    ("cuda-kernels", "CUDA kernel for top-k", "CUDA graph for top-k"),
    ("triton-kernels", "Triton kernel for penalties", "Deploy behind Triton Inference Server"),
    ("cutlass-kernels", "CuTe DSL epilogue with bias", "An acute bias in the epilogue"),
    ("collectives", "One-shot all-reduce for 4 ranks", "One-shot reduction of the log"),
    ("distributed", "[Distributed] Name process groups", "[Docs] Name the maintainers"),
    ("tensor-parallelism", "Tensor parallel vocab padding", "Vocab padding"),
    ("pipeline-parallelism", "PP: overlap sends", "PP-OCR: overlap lines"),
    ("data-parallelism", "DP attention with uneven ranks", "Attention with uneven heads"),
    ("context-parallelism", "Decode context parallel for GQA", "Decode contexts for GQA"),
    ("multi-node", "Ray executor survives a lost node", "Array copies survive a lost page"),
    ("lora", "LoRA adapters swap without a pause", "Adapters for HTTP swap without a pause"),
    ("multimodal", "Hash multimodal inputs once", "Hash text inputs once"),
    ("vision", "ViT attention without padding", "Attention without padding"),
    ("audio", "Whisper timestamps per word", "Timestamps per word"),
    ("video", "Sample video frames evenly", "[diffusion] Faster video VAE"),
    ("diffusion", "[diffusion] Step caching for DiT blocks", "A diffusion LLM that fills blocks"),
    (
        "diffusion-language-models",
        "Block diffusion decoding for dLLM",
        "Diffusion of images in steps",
    ),
    ("scheduling", "Chunked prefill respects priorities", "Chunked uploads respect priorities"),
    ("long-context", "YaRN factors per layer", "Yawn factors per layer"),
    ("engine", "Model runner v2 keeps inputs pinned", "Keep inputs pinned"),
    ("cuda-graphs", "Capture CUDA graphs lazily", "Draw graphs lazily"),
    ("torch-compile", "torch.compile fusion pass for norms", "Compiler flags for norms"),
    ("sampling", "Min-p sampling on device", "Sampled traces on device"),
    ("model-loading", "Stream safetensors from object storage", "Stream logs from object storage"),
    ("tokenizer", "Detokenizer emits whole graphemes", "The emitter sends whole lines"),
    ("structured-output", "xgrammar bitmask on the GPU", "A bitmask on the GPU"),
    ("tool-calling", "Tool parser for nested arguments", "Argument checks for nested files"),
    ("pooling-models", "Rerank endpoint returns scores", "Rotary embedding in fp32"),
    ("api-server", "[Frontend] Chat completion deltas", "[Backend] Deltas"),
    ("gateway", "[router] Drain workers on shutdown", "Router logits of MoE in fp32"),
    ("observability", "Prometheus histogram of queue time", "Histogram matching in tests"),
    ("reinforcement-learning", "Sleep mode level 2 frees weights", "Sleepy level"),
    ("determinism", "Batch invariant matmul", "Batched matmul"),
    ("hardware", "Out-of-tree platform hooks", "Hooks"),
    ("nvidia", "Tiles for Blackwell", "Tiles for everyone"),
    ("amd", "[ROCm] Wave64 softmax", "Softmax on amd64 runners"),
    ("tpu", "Pallas kernel for ragged pages", "Ragged pages"),
    ("ascend", "[NPU] Torchair graph mode", "Graph mode"),
    ("intel-gpu", "[XPU] SYCL softmax", "Softmax"),
    ("cpu", "[CPU] AMX tiles for int8", "Move the sync off the CPU thread to the GPU"),
    ("apple", "MLX backend keeps the cache in place", "Keep the cache in place"),
    ("other-accelerators", "MUSA graph capture", "Graph museum"),
    ("models", "[Model] Support a new hybrid", "[Misc] Support a new flag"),
    ("deepseek", "DeepSeek-OCR image tokens", "Long seeks in files"),
    ("deepseek-v3", "DeepSeek-V3.2 on two nodes", "DeepSeek-V4 on two nodes"),
    ("deepseek-v4", "[DSV4] Fuse hyper-connections", "[DSV3] Fuse norms"),
    ("kimi", "Kimi K2.5 weights in int4", "Weights in int4"),
    ("llama", "Llama 4 chunked layers", "Numbers as in llama.cpp"),
    ("qwen", "Qwen3-Next gate", "[diffusion] Qwen-Image edit"),
    ("gemma", "Gemma 3 sliding layers", "GEMM sliding tiles"),
    ("mistral", "Mixtral weights by shard", "Weights by shard"),
    ("gpt-oss", "gpt-oss sinks in fp32", "OSS licences"),
    ("glm", "GLM-4.5 Air weights", "Air weights"),
    ("minimax", "MiniMax-M2 weights", "Min and max weights"),
    ("nemotron", "Nemotron-H weights", "Mamba2 weights"),
    ("other-models", "Granite 3 weights", "Grand weights"),
    ("benchmarks", "Benchmark multi-turn chats", "Mark multi-turn chats"),
    ("testing", "[Test] Cover empty prompts", "Cover letters"),
    ("ci", "[CI] Fewer nightly shards", "Circuits with fewer shards"),
    ("build", "Wheels for aarch64", "Roads for aarch64"),
    ("docker", "Smaller container images", "Smaller images as inputs"),
    ("docs", "[Doc] Quick start", "[Core] Quick start"),
    ("security", "Refuse pickle from peers", "Refuse packets from peers"),
]

PLACED = [
    # topic, repository, a path of it in some year, a path that is not its
    (
        "fused-moe",
        "vllm",
        "vllm/model_executor/layers/fused_moe/layer.py",
        "vllm/lora/layers/fused_moe.py",
    ),
    (
        "fused-moe",
        "sglang",
        "python/sglang/srt/layers/moe/topk.py",
        "python/sglang/srt/models/qwen2_moe.py",
    ),
    ("moe-kernels", "vllm", "csrc/moe/topk_softmax_kernels.cu", "csrc/sampler.cu"),
    (
        "moe-kernels",
        "sglang",
        "sgl-kernel/csrc/moe/moe_align_kernel.cu",
        "sgl-kernel/csrc/gemm/awq.cu",
    ),
    (
        "deepep",
        "sglang",
        "python/sglang/srt/layers/moe/token_dispatcher/deepep.py",
        "a/dispatch.py",
    ),
    ("eplb", "vllm", "vllm/distributed/eplb/eplb_state.py", "vllm/distributed/parallel_state.py"),
    (
        "eplb",
        "sglang",
        "python/sglang/srt/managers/expert_location.py",
        "python/sglang/srt/location.py",
    ),
    (
        "attention",
        "vllm",
        "vllm/attention/backends/flashinfer.py",
        "vllm/model_executor/layers/fla/ops/wy.py",
    ),
    ("mla", "vllm", "csrc/attention/mla/sm100_cutlass_mla_kernel.cu", "csrc/attention/a.cu"),
    (
        "sparse-attention",
        "sglang",
        "python/sglang/srt/layers/attention/nsa/nsa_indexer.py",
        "a/index.py",
    ),
    ("linear-attention", "sglang", "python/sglang/srt/layers/attention/fla/chunk.py", "a/flag.py"),
    ("kv-cache", "vllm", "vllm/core/block_manager.py", "vllm/core/scheduler.py"),
    (
        "kv-cache",
        "sglang",
        "python/sglang/srt/mem_cache/memory_pool.py",
        "python/sglang/srt/pool.py",
    ),
    (
        "hybrid-prefix-caching",
        "sglang",
        "python/sglang/srt/mem_cache/mamba_radix_cache.py",
        "a/radix_cache.py",
    ),
    ("kv-offload", "vllm", "vllm/v1/kv_offload/cpu/manager.py", "vllm/v1/worker/cpu_worker.py"),
    ("pd-disaggregation", "sglang", "python/sglang/srt/disaggregation/decode.py", "a/decode.py"),
    (
        "kv-transfer",
        "vllm",
        "vllm/distributed/kv_transfer/kv_connector/v1/base.py",
        "vllm/distributed/utils.py",
    ),
    ("kv-transfer", "sglang", "python/sglang/srt/disaggregation/mooncake/conn.py", "a/conn.py"),
    (
        "speculative-decoding",
        "vllm",
        "vllm/spec_decode/batch_expansion.py",
        "vllm/v1/kv_cache_spec.py",
    ),
    (
        "mtp",
        "vllm",
        "vllm/model_executor/models/deepseek_mtp.py",
        "vllm/model_executor/models/opt.py",
    ),
    ("cuda-kernels", "any/other", "src/kernels/softmax.cuh", "src/kernels/softmax.py"),
    ("gateway", "sglang", "sgl-router/src/tree.rs", "rustfmt.toml"),
    ("api-server", "vllm", "rust/src/server/src/lib.rs", "csrc/ops.h"),
    ("cpu", "vllm", "csrc/cpu/quant.cpp", "vllm/v1/kv_offload/cpu/spec.py"),
    (
        "diffusion",
        "sglang",
        "python/sglang/multimodal_gen/runtime/server.py",
        "python/sglang/srt/dllm/mixin.py",
    ),
    ("lora", "vllm", "csrc/punica/bgmv/bgmv_config.h", "csrc/ops.h"),
]

AMBIGUOUS = [
    # what is at stake, subject, topic, whether it is about the topic
    ("container images are not inputs", "Slim the nightly container images", "vision", False),
    ("container images are containers", "Slim the nightly container images", "docker", True),
    (
        "images as inputs are no containers",
        "Resize image inputs before the processor",
        "docker",
        False,
    ),
    (
        "a diffusion language model is not the image engine",
        "Diffusion LLM: block masks",
        "diffusion",
        False,
    ),
    (
        "block diffusion drafts are no image engine",
        "DFlash block diffusion draft",
        "diffusion",
        False,
    ),
    ("Mamba is not Nemotron", "Mamba2 state in bf16", "nemotron", False),
    ("Nemotron need not be Mamba", "Nemotron reward head", "mamba", False),
    ("a router of tokens is no gateway", "MoE router GEMM in bf16", "gateway", False),
    ("a router of tokens is MoE", "Router logits for each expert in bf16", "moe", True),
    ("a router of requests is no MoE", "[router] retry a dead worker", "moe", False),
    ("draft of a pull request", "Skip CI for draft PRs", "speculative-decoding", False),
    ("draft as a model", "Quantize the draft model", "speculative-decoding", True),
    ("pd as in pandas", "Read the pandas frame (pd) once", "pd-disaggregation", False),
    ("PD as in prefill and decode", "PD: retry", "pd-disaggregation", True),
    (
        "linear attention is no attention backend",
        "Linear attention state dtype",
        "attention",
        False,
    ),
    ("DP attention is no attention backend", "DP attention padding", "attention", False),
    ("llama.cpp is not Llama", "Import GGUF as llama.cpp does", "llama", False),
    ("amd64 is not AMD", "Publish amd64 wheels", "amd", False),
    ("block size of MoE alignment is no cache", "Tune moe_align block size", "kv-cache", False),
    ("block size of the cache", "Let the KV block size follow the page", "kv-cache", True),
    ("a scheduler of denoising steps", "[diffusion] Euler scheduler", "scheduling", False),
    ("Gemma is not GEMM", "Gemma 3 norms", "kernels", False),
    ("Triton the server", "Serve behind Triton Inference Server", "triton-kernels", False),
    ("CPU offload is no CPU back end", "Faster CPU offload", "cpu", False),
    ("a tool parser named for a MoE model", "glm4_moe tool parser: nested arguments", "moe", False),
    (
        "an n-gram embedding is no speculation",
        "N-gram embedding lookup",
        "ngram-speculation",
        False,
    ),
    ("RDMA of experts is no KV transfer", "DeepEP: RDMA ranks", "kv-transfer", False),
    (
        "expert load balancer is no gateway",
        "Expert load balancer in the background",
        "gateway",
        False,
    ),
    ("KDA-Pilot writes kernels of all kinds", "[KDA-Pilot] Norm of diffusion", "kda", False),
    ("several topics at once", "MoE LoRA for MLA", "mla", True),
]


def topics(subject: str = "", *paths: str, repo: str = "vllm-project/vllm") -> set[str]:
    return {tag.topic for tag in TAXONOMY.tag(subject, paths, repo=repo)}


def family(topic: str) -> set[str]:
    return set(TAXONOMY.family(topic))


def test_every_topic_has_an_example() -> None:
    assert {topic for topic, *_ in NAMED} == {topic.id for topic in TAXONOMY.topics}


@pytest.mark.parametrize(("topic", "named", "other"), NAMED, ids=[row[0] for row in NAMED])
def test_subject(topic: str, named: str, other: str) -> None:
    assert topics(named) & family(topic)
    assert not topics(other) & family(topic)


@pytest.mark.parametrize(("topic", "repo", "path", "other"), PLACED, ids=[row[2] for row in PLACED])
def test_path(topic: str, repo: str, path: str, other: str) -> None:
    assert topic in topics("", path, repo=repo)
    assert topic not in topics("", other, repo=repo)


@pytest.mark.parametrize(
    ("subject", "topic", "is_about"),
    [row[1:] for row in AMBIGUOUS],
    ids=[row[0] for row in AMBIGUOUS],
)
def test_ambiguous(subject: str, topic: str, is_about: bool) -> None:
    assert bool(topics(subject) & family(topic)) is is_about


def test_a_tag_says_what_matched() -> None:
    path = "vllm/distributed/eplb/state.py"
    tags = {tag.topic: tag for tag in TAXONOMY.tag("[EPLB] Fewer copies", [path], repo="vllm")}
    assert tags["eplb"].matched == ("subject: eplb", "subject: EPLB", f"path: {path}")
    assert tags["eplb"].weight == 1.0


def test_a_sweep_over_many_files_is_about_none_of_them() -> None:
    few = ["vllm/distributed/eplb/state.py", *(f"a/{number}.py" for number in range(9))]
    assert topics("Rename a flag", *few) == set()
    assert topics("Rename a flag", few[0]) >= {"eplb"}
    assert topics("Fix typos", few[0]) & family("moe") == set()


def test_paths_of_one_repository_mean_nothing_in_another() -> None:
    assert "gateway" in topics("", "rust/src/lib.rs", repo="sgl-project/sglang")
    assert "gateway" not in topics("", "rust/src/lib.rs", repo="vllm-project/vllm")


def test_symbols_count_by_their_share() -> None:
    tags = TAXONOMY.tag("Fix shapes", (), ["FusedMoEMethod", "forward"])
    assert ("moe", ("symbol: FusedMoEMethod",), 0.5) in [
        (t.topic, t.matched, t.weight) for t in tags
    ]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "US engineers who have merged commits to vLLM or SGLang touching MoE, "
            "expert parallelism, or PD disaggregation, senior or above, open to talking",
            [
                ("moe", "MoE"),
                ("expert-parallelism", "expert parallelism"),
                ("pd-disaggregation", "PD disaggregation"),
            ],
        ),
        ("who knows KV-cache transfers?", [("kv-transfer", "KV-cache transfers")]),
        ("anyone on mixture of experts", [("moe", "mixture of experts")]),
        (
            "people who know tensor-parallel LoRA",
            [("tensor-parallelism", "tensor-parallel"), ("lora", "LoRA")],
        ),
        ("kernel experts", [("kernels", "kernel")]),
        ("experts on load balancing and the router", [("gateway", "router")]),
        ("asdkjh qwoeiu", []),
        ("", []),
    ],
)
def test_find(question: str, found: list[tuple[str, str]]) -> None:
    spans = TAXONOMY.find(question)
    assert [(topic, question[start:end]) for topic, (start, end) in spans] == found


def test_find_keeps_spans_in_any_script() -> None:
    question = "İ Ⅷ moe ß"
    assert [question[start:end] for _, (start, end) in TAXONOMY.find(question)] == ["moe"]


def test_family_and_ancestors() -> None:
    assert TAXONOMY.ancestors("eplb") == ("expert-parallelism", "moe", "distributed")
    assert "deepep" in TAXONOMY.family("moe")
    assert TAXONOMY.family("moe")[0] == "moe"


TOPIC = '[topics.moe]\nname = "MoE"\ndefinition = "Experts."\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[topics", "topics.toml is not TOML"),
        ("", "topics.toml, topics: None cannot be used; it must be a table"),
        ('topic = 1\n[topics.a]\nname = "A"', "topics.toml: unknown key 'topic'"),
        (
            "[topics.moe]\nname = 3",
            "topic 'moe', name: 3 cannot be used; it must be text in quotes",
        ),
        ('[topics.moe]\nname = "MoE"', "topic 'moe', definition: None cannot be used"),
        (
            TOPIC + 'word = ["moe"]',
            "topic 'moe': unknown key 'word'; there are: asked_as, definition",
        ),
        (TOPIC + 'words = "moe"', "topic 'moe', words: 'moe' cannot be used; it must be a list"),
        (TOPIC + 'words = ["—"]', "topic 'moe', words: '—' cannot be used; it must be a word"),
        (TOPIC + 'words = ["fused moe*"]', "a single word may end in *"),
        (TOPIC + 'parents = ["moe"]', "topic 'moe', parents: it is its own ancestor"),
        (TOPIC + 'parents = ["all"]', "topic 'moe', parents: there is no topic 'all'"),
        (
            TOPIC + 'messages = ["("]',
            "topic 'moe', messages: '(' cannot be used; it must be a regular",
        ),
        (TOPIC + 'words_in_context = [{ word = "expert" }]', "without them it belongs in words"),
        (TOPIC + 'words_in_context = ["expert"]', "words_in_context: 'expert' cannot be used"),
        (TOPIC + 'paths = ["a/"]', "topic 'moe', paths: ['a/'] cannot be used"),
        (TOPIC + 'paths.any = "a/"', "topic 'moe', paths, any: 'a/' cannot be used"),
        (TOPIC + "path_share = 2", "topic 'moe', path_share: 2 cannot be used; it must be over 0"),
        ("path_share = 0\n" + TOPIC, "path_share: 0 cannot be used; it must be over 0"),
        ('[topics.Mo_E]\nname = "M"\ndefinition = "E"', "the id: 'Mo_E' cannot be used"),
    ],
)
def test_a_mistake_is_named(text: str, says: str) -> None:
    with pytest.raises(BadSettings) as error:
        parse(text)
    assert says in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"mine\.toml cannot be read"):
        load(tmp_path / "mine.toml")


def test_an_edited_file_is_all_that_a_new_topic_needs() -> None:
    file = parse(TOPIC + 'words = ["gating*"]\nmessages = ["^expert\\\\b"]')
    mine = Taxonomy(file.topics, file.path_share, file.sweeps)
    assert [tag.matched for tag in mine.tag("Gating2 in fp32")] == [("subject: gating2",)]
    assert [tag.matched for tag in mine.tag("Expert maps")] == [("subject: Expert",)]


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("谁做过 vLLM 的推测解码", ["speculative-decoding"]),
        ("找在北京做专家并行和PD分离的资深工程师", ["expert-parallelism", "pd-disaggregation"]),
        ("CUDA算子和稀疏注意力", ["cuda-kernels", "sparse-attention"]),
        ("Wer kennt spekulatives Dekodieren?", ["speculative-decoding"]),
    ],
)
def test_a_question_in_another_language_names_topics(question: str, topics: list[str]) -> None:
    asked = parse_question(question, today=date(2026, 6, 15)).topics
    assert sorted(topic.id for topic in asked) == topics


def test_what_other_languages_call_a_topic_tags_no_commit() -> None:
    assert "speculative-decoding" not in {tag.topic for tag in TAXONOMY.tag("支持推测解码")}


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("KDA and its prefix caching", ["kda", "hybrid-prefix-caching"]),
        (
            "prefix caching for hybrid linear attention",
            ["hybrid-prefix-caching", "linear-attention"],
        ),
        ("state space models and their prefix cache", ["mamba", "hybrid-prefix-caching"]),
        ("prefix caching, LoRA and KDA", ["prefix-caching", "lora", "kda"]),
        ("KDA or prefix caching", ["kda", "prefix-caching"]),
    ],
)
def test_a_phrase_means_the_narrower_topic_where_that_is_said_of_it(
    question: str, topics: list[str]
) -> None:
    asked = parse_question(question, today=date(2026, 6, 15))
    assert [topic.id for topic in asked.topics] == topics
