"""The notice to a person whose data came from elsewhere."""

from api.notifying import HISTORY, Due
from api.pages.words import Words
from sourcer.settings import Settings


def letter(one: Due, words: Words, settings: Settings) -> str:
    """What is held, since when, from where, why, and what may be asked for (GDPR, Article 14)."""
    own = {HISTORY: words("notice.history")}
    return words(
        "notice.letter",
        name=one.name,
        controller=settings.controller or words("notice.nobody"),
        day=words.day(one.obtained),
        sources="\n".join(f"– {own.get(source, source)}" for source in one.sources),
    )
