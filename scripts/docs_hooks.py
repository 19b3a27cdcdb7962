"""What the documentation's site has that docs/ has not: pages made from the sources when it is built (mkdocs.yml).

- `<!-- fairstep manual -->` becomes what `fairstep manual --format markdown` says.
- A link that leaves docs/ leads to a page that shows the file: sources, configurations, notebooks, the root's Markdown.
- A folder in the navigation stands for all of its pages or notebooks; a page that is not in it stands under "More".
"""

import json
import os
import posixpath
import re
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BINARY = Path(os.environ.get("FAIRSTEP_BINARY", ROOT / "build" / "bin" / "fairstep"))
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".toml": "toml", ".json": "json", ".cmake": "cmake"}


def page_of(path):
    """Where the site has a file of the repository that is not in docs/."""
    if path.suffix == ".md":
        return f"project/{path.as_posix().lower()}"
    return f"source/{path.as_posix()}.md"


def outside(link, folder):
    """The file of the repository that a link leads to, or None if it stays in docs/ or leads nowhere near."""
    if "://" in link or link.startswith(("/", "mailto:")):
        return None
    target = Path(posixpath.normpath((folder / link).as_posix()))
    if target.is_relative_to(DOCS) or not target.is_relative_to(ROOT) or not target.exists():
        return None
    return target.relative_to(ROOT)


def from_notebook(path):
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source.strip():
            parts.append(f"```python\n{source}\n```")
    return "\n\n".join(parts)


def content_of(path):
    file = ROOT / path
    front = "---\nsearch:\n  exclude: true\n---\n"
    if file.suffix == ".md":
        return file.read_text()
    if file.is_dir():
        rows = [f"- [{child.name}]({path.name}/{child.name})" for child in sorted(file.iterdir())]
        return f"{front}# {path.as_posix()}\n\n" + "\n".join(rows) + "\n"
    if file.suffix == ".ipynb":
        return from_notebook(file)
    language = LANGUAGES.get(file.suffix, "text")
    return f"{front}# {path.as_posix()}\n\n````{language}\n{file.read_text()}````\n"


def home_of(src_uri):
    """The folder that links of a page are relative to."""
    made = MADE.get(src_uri)
    return (ROOT / made).parent if made else (DOCS / src_uri).parent


# Pages with no others in their part of the navigation need no list of them.
ALONE = {"index.md": ["navigation", "toc"], "tutorial.md": ["navigation"]}
MADE = {}  # page of the site -> file of the repository


def on_config(config):
    MADE.clear()

    def entry(path):
        MADE[page_of(path)] = path
        return page_of(path)

    def expand(items):
        for number, item in enumerate(items):
            title, target = next(iter(item.items())) if isinstance(item, dict) else (None, item)
            if isinstance(target, list):
                expand(target)
            elif target.startswith("../") and target.endswith("/"):
                notebooks = sorted((DOCS / target).resolve().glob("*.ipynb"))
                items[number] = {title: [entry(notebook.relative_to(ROOT)) for notebook in notebooks]}
            elif target.endswith("/"):
                items[number] = {
                    title: [page.relative_to(DOCS).as_posix() for page in sorted((DOCS / target).glob("*.md"))]
                }
            elif target.startswith("../"):
                items[number] = {title: entry(Path(target.removeprefix("../")))}

    def placed(items):
        for item in items:
            target = next(iter(item.values())) if isinstance(item, dict) else item
            yield from placed(target) if isinstance(target, list) else [target]

    expand(config.nav)
    known = set(placed(config.nav))
    pages = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    if missing := [page for page in pages if page not in known]:
        config.nav.append({"More": missing})
    return config


def on_files(files, config):
    def links(src_uri, text):
        for _, link, _ in LINK.findall(text):
            path = outside(link, home_of(src_uri))
            if path is not None and page_of(path) not in MADE:
                MADE[page_of(path)] = path
                waiting.append(page_of(path))

    in_nav = list(MADE)
    waiting = list(MADE)
    for file in files.documentation_pages():
        links(file.src_uri, file.content_string)
    while waiting:
        src_uri = waiting.pop()
        path = MADE[src_uri]
        content = content_of(path)
        inclusion = InclusionLevel.INCLUDED if src_uri in in_nav else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, src_uri, content=content, inclusion=inclusion))
        if path.suffix in (".md", ".ipynb") or (ROOT / path).is_dir():
            links(src_uri, content)
    return files


def manual():
    if not BINARY.exists():
        raise PluginError(f"there is no {BINARY}: the reference of the command is made by the command (make build)")
    said = subprocess.run([BINARY, "manual", "--format", "markdown"], capture_output=True, text=True, check=True)
    return said.stdout


def on_page_markdown(markdown, page, **_):
    src_uri = page.file.src_uri
    home = home_of(src_uri)
    if src_uri in ALONE:
        page.meta["hide"] = ALONE[src_uri]

    def led(match):
        before, link, after = match.groups()
        path = outside(link, home)
        if path is None and src_uri in MADE and "://" not in link:  # a page of docs/, seen from the root
            target = Path(posixpath.normpath((home / link).as_posix()))
            if target.is_relative_to(DOCS):
                return (
                    before + posixpath.relpath(target.relative_to(DOCS).as_posix(), posixpath.dirname(src_uri)) + after
                )
        if path is None:
            return match[0]
        return before + posixpath.relpath(page_of(path), posixpath.dirname(src_uri)) + after

    # Links within code are text.
    parts = re.split(r"(^ *```.*?^ *```$|`[^`\n]*`)", markdown, flags=re.MULTILINE | re.DOTALL)
    markdown = "".join(part if part.lstrip().startswith("`") else LINK.sub(led, part) for part in parts)
    return (
        markdown.replace("<!-- fairstep manual -->", manual()) if "<!-- fairstep manual -->" in markdown else markdown
    )
