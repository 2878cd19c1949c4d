"""MkDocs hook: pages from outside `docs/`, and links that hold on the site and in the repository.

A document links to files of the repository by relative paths, as GitHub follows them. On the site
such a link leads to the page that the file became, or else to the file at the project's address.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent.parent

PAGES = {
    "DESIGN.md": "design.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "bench.md",
    "examples/batch_ray/README.md": "batches.md",
    "examples/serve/README.md": "serve.md",
    "examples/serve_ray/README.md": "serve-ray.md",
    "examples/serve_v2/README.md": "serve-v2.md",
    "passes/README.md": "passes-in-the-source.md",
    "schedules/README.md": "schedules-in-the-source.md",
}
"""Documents of the repository that are pages of the site, too, and under which address."""

LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List a folder of the navigation page by page, in the order of their names."""
    config.nav = _listed(config.nav)
    return config


def _listed(entry: object) -> object:
    if isinstance(entry, list):
        return [_listed(e) for e in entry]
    if isinstance(entry, dict):
        return {title: _listed(e) for title, e in entry.items()}
    if isinstance(entry, str) and entry.endswith("/"):
        folder = ROOT / "docs" / entry
        return [f"{entry}{file.name}" for file in sorted(folder.glob("*.md"), key=_index_first)]
    return entry


def _index_first(file: Path) -> tuple[bool, str]:
    return file.name != "index.md", file.name


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents from outside `docs/`."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point each relative link at a page of the site or at the project's address."""
    here = page.file.src_uri
    origin = next((source for source, uri in PAGES.items() if uri == here), f"docs/{here}")

    def target(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), found[1]))
        uri = PAGES.get(path) or path.removeprefix("docs/")
        anchor = found[2] or ""
        if path in PAGES or (path.startswith("docs/") and files.get_file_from_path(uri)):
            return posixpath.relpath(uri, posixpath.dirname(here) or ".") + anchor
        if not (ROOT / path).exists():
            return found[0]  # MkDocs warns of it, and the build fails.
        return f"{config.extra['source']}/blob/main/{path}{anchor}"

    return LINK.sub(target, markdown)
