import json
from pathlib import Path

import pytest

from sourcer import snapshot
from sourcer.errors import DamagedSnapshot, NoSnapshot


def publish(data: Path, text: str) -> snapshot.Snapshot:
    with snapshot.draft(data) as draft:
        (draft / "index").mkdir()
        (draft / "index" / "rows").write_text(text)
        return snapshot.publish(data, draft, {"text": text})


def test_nothing_published_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshot, match="sourcer ingest"):
        snapshot.current(tmp_path)


def test_publishing_moves_current_and_keeps_the_old_one_readable(tmp_path: Path) -> None:
    old = publish(tmp_path, "one")
    held = snapshot.current(tmp_path)
    new = publish(tmp_path, "two")
    assert snapshot.current(tmp_path).path == new.path.resolve()
    assert (held.index / "rows").read_text() == "one"
    assert snapshot.published(tmp_path) == [old.path, new.path]
    assert snapshot.current(tmp_path).manifest["text"] == "two"


def test_a_failed_draft_leaves_current_alone_and_nothing_behind(tmp_path: Path) -> None:
    published = publish(tmp_path, "one")

    def fail() -> None:
        with snapshot.draft(tmp_path) as draft:
            (draft / "half").write_text("written")
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        fail()
    assert snapshot.current(tmp_path).path == published.path.resolve()
    assert [path.name for path in (tmp_path / "snapshots").iterdir()] == [published.name]


def test_what_a_killed_process_left_is_swept_by_the_next_draft(tmp_path: Path) -> None:
    abandoned = tmp_path / "snapshots" / ".draft-1"
    abandoned.mkdir(parents=True)
    with snapshot.draft(tmp_path):
        assert not abandoned.exists()


def test_a_changed_byte_is_damage(tmp_path: Path) -> None:
    published = publish(tmp_path, "one")
    published.verify()
    (published.index / "rows").write_text("two")
    with pytest.raises(DamagedSnapshot, match="rows does not match the manifest"):
        published.verify()


def test_a_half_written_manifest_is_damage(tmp_path: Path) -> None:
    published = publish(tmp_path, "one")
    (published.path / "manifest.json").write_text(json.dumps({"text": 1})[:-1])
    with pytest.raises(DamagedSnapshot, match=r"manifest\.json cannot be read"):
        snapshot.current(tmp_path)


def test_pruning_keeps_the_newest_and_the_current(tmp_path: Path) -> None:
    first, second, third = (publish(tmp_path, text) for text in ("one", "two", "three"))
    snapshot.point(tmp_path, first.path)
    assert snapshot.prune(tmp_path, keep=1) == [second.path]
    assert snapshot.published(tmp_path) == [first.path, third.path]
