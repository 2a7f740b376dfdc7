"""Declared locations: what a place name may mean, and what a profile's text says.

Place names come from GeoNames (https://www.geonames.org/), licensed under CC BY 4.0.
"""

from sourcer.places.filters import within
from sourcer.places.gazetteer import NAMES, Place, candidates, longest
from sourcer.places.names import normalise

__all__ = ["NAMES", "Place", "candidates", "longest", "normalise", "within"]
