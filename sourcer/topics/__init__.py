"""What a commit or a question is about; topics.toml says what there is to find."""

from sourcer.topics.taxonomy import Tag, Taxonomy, load

__all__ = ["Tag", "Taxonomy", "load"]
