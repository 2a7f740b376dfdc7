"""The packaged model: torch and ONNX Runtime agree, and questions never import torch."""

import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from index.embedder import (
    PACKAGED,
    SentenceTransformerEmbedder,
    embedder_for_ingest,
    export_onnx,
    exported,
    model_folder,
    model_name,
)
from index.onnx_embedder import OnnxEmbedder
from sourcer.errors import BadSettings

TEXTS = [
    "[Kernel] Tune FusedMoE for B200",
    "",
    "Fix typo",
    "修复 MoE 路由",
    "KV-cache aware hybrid prefix caching, " * 30,
    *(f"Add model number {number}" for number in range(80)),
]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / PACKAGED / "onnx"
    export_onnx(PACKAGED, folder)
    return folder


@pytest.fixture(scope="module")
def by_torch() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(device="cpu", bfloat16=False)


@pytest.mark.slow
def test_torch_and_onnx_give_the_same_vectors(
    export: Path, by_torch: SentenceTransformerEmbedder
) -> None:
    by_onnx = OnnxEmbedder(export)
    assert (by_onnx.name, by_onnx.dim) == (by_torch.name, by_torch.dim) == (by_torch.name, 384)
    cosines = (by_onnx.encode(TEXTS) * by_torch.encode(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.9999


@pytest.mark.slow
def test_vectors_are_unit_and_do_not_depend_on_company(export: Path) -> None:
    embedder = OnnxEmbedder(export)
    together = embedder.encode(TEXTS)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert embedder.encode(TEXTS[:1])[0] == pytest.approx(together[0], abs=1e-5)
    assert embedder.encode([]).shape == (0, 384)


@pytest.mark.slow
def test_questions_are_encoded_in_eight_bits_and_mean_the_same(export: Path) -> None:
    whole, eight = OnnxEmbedder(export), OnnxEmbedder.for_questions(export)
    cosines = (whole.encode(TEXTS) * eight.encode(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.97
    assert 0.99 < cosines.mean() < 0.999
    assert (export / "questions.onnx").stat().st_size < 0.7 * (export / "model.onnx").stat().st_size


@pytest.mark.slow
def test_a_model_that_is_open_is_not_opened_again(export: Path, tmp_path: Path) -> None:
    held = OnnxEmbedder.for_questions(export)
    same = shutil.copytree(export, tmp_path / "same")
    assert OnnxEmbedder.for_questions(same) is held
    other = shutil.copytree(export, tmp_path / "other")
    card = json.loads((other / "card.json").read_text("utf-8"))
    (other / "card.json").write_text(json.dumps({**card, "sha256": {"model.onnx": "0"}}), "utf-8")
    assert OnnxEmbedder.for_questions(other) is not held


@pytest.mark.slow
def test_an_export_of_an_older_version_answers_questions_too(export: Path, tmp_path: Path) -> None:
    older = shutil.copytree(export, tmp_path / "onnx")
    (older / "questions.onnx").unlink()
    found = OnnxEmbedder.for_questions(older).encode(TEXTS[:1])
    assert found[0] == pytest.approx(OnnxEmbedder(export).encode(TEXTS[:1])[0], abs=1e-5)


@pytest.mark.slow
def test_whoever_embeds_leaves_an_export_for_questions(tmp_path: Path) -> None:
    """On a processor with bfloat16 torch embedded alone, and no question could be asked."""
    embedder = embedder_for_ingest(PACKAGED, tmp_path, threads=1, by_torch=True)
    export = OnnxEmbedder(tmp_path / embedder.name / "onnx")
    cosines = (embedder.encode(TEXTS[:3]) * export.encode(TEXTS[:3])).sum(axis=1)
    assert (export.name, cosines.min() > 0.9998) == (embedder.name, True)


@pytest.mark.slow
def test_bfloat16_keeps_the_meaning(by_torch: SentenceTransformerEmbedder) -> None:
    halved = SentenceTransformerEmbedder(device="cpu", bfloat16=True)
    found = halved.encode(TEXTS[:10])
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(10), abs=1e-6)
    assert (found * by_torch.encode(TEXTS[:10])).sum(axis=1).mean() > 0.9999


@pytest.mark.slow
def test_questions_never_import_torch(export: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import index.embedder, index.build\n"
        "from index.onnx_embedder import OnnxEmbedder\n"
        "assert OnnxEmbedder(Path(sys.argv[1])).encode(['moe']).shape == (1, 384)\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(export)], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


def test_name_follows_the_weights(tmp_path: Path) -> None:
    model = tmp_path / "mini-a"
    model.mkdir()
    (model / "model.safetensors").write_bytes(b"one")
    before = model_name(str(model))
    (model / "model.safetensors").write_bytes(b"two")
    assert before.startswith("mini-a-")
    assert model_name(str(model)) != before


def test_packaged_model_is_on_this_machine() -> None:
    assert (model_folder(PACKAGED) / "config.json").is_file()


@pytest.mark.parametrize("model", ["nobody/no-such-model", "not a model's name!"])
def test_unknown_model_says_what_to_do(model: str) -> None:
    with pytest.raises(BadSettings, match="hf download"):
        model_folder(model)


def test_a_damaged_export_is_made_again(tmp_path: Path) -> None:
    folder = exported(PACKAGED, tmp_path)
    whole = (folder / "model.onnx").read_bytes()
    card = json.loads((folder / "card.json").read_text())
    said = {**card, "sha256": {"model.onnx": sha256(whole).hexdigest()}}
    (folder / "card.json").write_text(json.dumps(said))
    assert exported(PACKAGED, tmp_path) == folder
    (folder / "model.onnx").write_bytes(whole[:1000])
    assert (exported(PACKAGED, tmp_path) / "model.onnx").read_bytes() == whole
