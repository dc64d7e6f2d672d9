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
highlight_language = "none"
html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["static"]
html_css_files = ["n3t.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False


class ManualLinks(SphinxPostTransform):
    """``name(1)`` is a link to the manual page, if it is one of ours."""
    default_priority = 400

    def run(self, **kwargs):
        for literal in list(self.document.findall(nodes.literal)):
            found = re.fullmatch(r"([\w.-]+)\(([1-8])\)", literal.astext())
            page = found and f"man/{found[1]}.{found[2]}"
            if page not in self.env.found_docs or isinstance(literal.parent, nodes.reference):
                continue
            literal.replace_self(make_refnode(self.app.builder, self.env.docname, page, "",
                                              literal.deepcopy()))


def setup(app):
    """Called by Sphinx."""
    app.add_post_transform(ManualLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
