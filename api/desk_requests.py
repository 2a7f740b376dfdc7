"""What a write of the workspace is sent."""

from typing import Annotated

from pydantic import Field

from api.responses import Wire
from sourcer.workspace.actors import Role, Sharing
from sourcer.workspace.entries import Stage
from sourcer.workspace.tokens import Scope

Name = Annotated[str, Field(min_length=1, max_length=200, examples=["Kernel people, Europe"])]
Text = Annotated[str, Field(max_length=20_000)]


class In(Wire):
    """What a write is sent."""


class SaveSearchIn(In):
    name: Name
    query: str | dict[str, object] = Field(
        description="A question, or its canonical form.", examples=["CUTLASS kernels in Europe"]
    )
    note: Text = ""
    sharing: Sharing = Sharing.TEAM


class ChangeSearchIn(In):
    name: Name | None = None
    query: str | dict[str, object] | None = None
    note: Text | None = None
    sharing: Sharing | None = None


class StartShortlistIn(In):
    name: Name
    about: Text = ""
    sharing: Sharing = Sharing.TEAM


class ChangeShortlistIn(In):
    name: Name | None = None
    about: Text | None = None
    sharing: Sharing | None = None
    owner: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class AddPersonIn(In):
    person: str = Field(min_length=1, max_length=100, examples=["mira-l"])
    reason: Text = Field("", examples=["wrote the fused kernel"])
    stage: Stage = Stage.FOUND


class ChangePersonIn(In):
    stage: Stage | None = None
    reason: Text | None = None


class OrderIn(In):
    people: list[Annotated[str, Field(max_length=100)]] = Field(max_length=10_000)


class UndoIn(In):
    change: int | None = Field(None, description="Which change; the last one if not said.")


class NoteIn(In):
    text: Annotated[str, Field(min_length=1, max_length=20_000)] = Field(
        examples=["@ida: spoke at the meetup, open in autumn"]
    )


class MergeIn(In):
    """Two people are one; or, with `signatures`, one person is two."""

    person: str = Field(min_length=1, max_length=100)
    other: str | None = Field(None, max_length=100, description="Who is the same person.")
    signatures: list[Annotated[str, Field(max_length=64)]] = Field(
        [], max_length=1000, description="The keys of signatures that are somebody else's."
    )
    reason: Annotated[str, Field(min_length=1, max_length=2000)]


class SuppressIn(In):
    who: str = Field(
        min_length=1, max_length=500, examples=["mira-l", "https://github.com/mira-l"],
        description="A login, an id, a profile URL or an email; or a name, with `context`.",
    )  # fmt: skip
    context: str | None = Field(None, max_length=500, description="Employer, project or place.")
    erase: bool = Field(False, description="Also delete what is held; it cannot be undone.")


class LiftIn(In):
    who: str = Field(min_length=1, max_length=500)
    context: str | None = Field(None, max_length=500)


class GiveTokenIn(In):
    label: Name
    scope: Scope = Scope.READ
    days: int | None = Field(
        None, ge=1, le=3650, description="How long it holds; null: until revoked."
    )


class LogInIn(In):
    name: str = Field(min_length=1, max_length=64)
    password: str = Field(min_length=1, max_length=1024)


class AddUserIn(In):
    name: str = Field(min_length=1, max_length=64, examples=["ida"])
    role: Role = Role.VIEWER
    password: Annotated[str, Field(min_length=12, max_length=1024)] | None = None
    identity: str | None = Field(
        None, max_length=500, examples=["https://login.example.com 0b1c"],
        description="The login provider's address and its name for the user, with a space between.",
    )  # fmt: skip


class ChangeUserIn(In):
    role: Role | None = None
    password: Annotated[str, Field(min_length=12, max_length=1024)] | None = None
    disabled: bool = False


class DecideIn(In):
    verdict: Annotated[str, Field(pattern="^(accept|reject|undo)$")]
