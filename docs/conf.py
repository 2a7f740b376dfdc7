"""Builds the documentation: Sphinx, MyST for Markdown, Furo for the looks; nothing from a CDN.

Sphinx and not MkDocs, because it is the one of the two that is still kept.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import generated  # noqa: E402

project = "sourcer"
html_title = "sourcer"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_favicon = "../api/static/mark.svg"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
myst_enable_extensions = ["fieldlist"]
myst_heading_anchors = 3
nitpicky = True


def setup(app) -> None:
    app.connect("source-read", generated.fill)
