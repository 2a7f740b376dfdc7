"""Everything that sourcer raises on purpose.

SourcerError
├── BadSettings            sourcer.toml or an environment variable says something unusable
├── BadInput               a file, question or argument that a user gave
├── NoSuchRepository       a name or source that is not a git repository
├── CrawlFailed            git ended badly; carries git's own words
├── NoSnapshot             nothing has been published yet
├── DamagedSnapshot        a snapshot's files do not match its manifest
├── HeldBack               a new snapshot is so much worse that a person has to look at it
├── Busy                   another process is writing the same data directory
├── GitHubRefused          the token, or what it may see, is not enough
├── GitHubUnreachable      no answer, or a limit that does not end
├── ModelMismatch          the index was built with another embedding model
├── NoSuchPerson           no person, login or id of that name
├── NotFound               the workspace holds nothing of that name that this user may see
├── NotAllowed             the user's role, or somebody else's ownership, forbids it
├── Conflict               what is asked contradicts what is already recorded
├── NotLoggedIn            a password, token or browser session that does not hold
│   └── TooManyAttempts    wrong passwords: that name has to wait
├── DamagedBackup          a backup's contents do not match its checksum
└── OtherWorkspace         a workspace or backup that this version cannot read

A message says what happened, with which value, and what to do next.
"""


class SourcerError(Exception):
    """The root of the tree; the command line prints its message without a traceback."""


class BadSettings(SourcerError):
    """sourcer.toml or an environment variable says something unusable."""


class BadInput(SourcerError):
    """A file, question or argument that a user gave cannot be used."""


class NoSuchRepository(SourcerError):
    """The name or source is not a git repository that can be reached."""


class CrawlFailed(SourcerError):
    """git ended badly; the message carries git's own words."""


class NoSnapshot(SourcerError):
    """Nothing has been published yet."""


class DamagedSnapshot(SourcerError):
    """A snapshot's files do not match its manifest."""


class HeldBack(SourcerError):
    """A new snapshot is so much worse than the last one that it is not published by itself."""


class Busy(SourcerError):
    """Another process is writing the same data directory."""


class GitHubRefused(SourcerError):
    """GitHub answered that the token, or what it may see, is not enough."""


class GitHubUnreachable(SourcerError):
    """GitHub gave no usable answer however often it was asked."""


class ModelMismatch(SourcerError):
    """The index was built with another embedding model than the settings ask for."""


class NoSuchPerson(SourcerError):
    """No person, login or id of that name."""


class NotFound(SourcerError):
    """The workspace holds nothing of that name that this user may see."""


class NotAllowed(SourcerError):
    """The user's role, or somebody else's ownership, forbids it."""


class Conflict(SourcerError):
    """What is asked contradicts what is already recorded."""


class NotLoggedIn(SourcerError):
    """A password, token or browser session that does not hold."""


class TooManyAttempts(NotLoggedIn):
    """Wrong passwords: that name has to wait."""


class DamagedBackup(SourcerError):
    """A backup's contents do not match its checksum."""


class OtherWorkspace(SourcerError):
    """A workspace or backup that this version cannot read."""
