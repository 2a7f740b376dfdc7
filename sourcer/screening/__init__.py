"""The interview questions that a person's own commits suggest; screening.toml holds them."""

from sourcer.screening.questions import Question, Screening, as_markdown, chosen, load, questions

__all__ = ["Question", "Screening", "as_markdown", "chosen", "load", "questions"]
