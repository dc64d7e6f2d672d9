# SPDX-License-Identifier: GPL-2.0
"""Configuration of Sphinx, for the sources that tools/dev/docs.py collects."""
import os
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

project = "n3_telemetry"
author = "The n3_telemetry developers"
version = release = os.environ.get("N3T_VERSION", "")

nitpicky = True
extensions = ["myst_parser"]  # CONTRIBUTING.md
highlight_language = "none"
html_theme = "furo"
html_title = f"{project} {release}"
# furo of Debian imports normalize.css from a web server's folder
html_static_path = ["static", "/usr/share/javascript/normalize.css/normalize.css"]
# before the theme's own, which it would override otherwise
html_css_files = [("normalize.css", {"priority": 100}), "n3t.css"]
html_js_files = ["dark.js", "copy.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False


def page_of(text):
    """The page of a manual page, as ``name(1)``, or of a file, if there is one."""
    manual = re.fullmatch(r"([\w.-]+)\(([1-8])\)", text)
    if manual:
        return f"man/{manual[1]}.{manual[2]}"
    if text.startswith("Documentation/ABI/"):
        return "ABI/files"
    return re.sub(r"^Documentation/|\.(rst|md)$", "", text)


class LiteralLinks(SphinxPostTransform):
    """Literals that name a page are links to it."""
    default_priority = 400

    def run(self, **kwargs):
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            page = page_of(text)
            if page in self.env.found_docs and page != self.env.docname and \
                    re.search(r"[./(]", text) and not isinstance(literal.parent, nodes.reference):
                literal.replace_self(make_refnode(self.app.builder, self.env.docname, page, "",
                                                  literal.deepcopy()))


def setup(app):
    """Called by Sphinx."""
    app.add_post_transform(LiteralLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
