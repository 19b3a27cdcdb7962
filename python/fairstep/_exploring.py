"""The page of `fairstep explore`, opened from Python."""

from __future__ import annotations

import atexit
import html
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairstep._core import Counts, Model, Policy


class Explorer:
    """A page that is being served: open `url` in a browser, or show this in a notebook for a link to it.

    It ends with `stop()`, with the block it was opened in (`with fairstep.explore(model) as page:`), or with Python.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path, address: str, warnings: list[str]) -> None:
        self._process = process
        self._folder = folder
        self.url = address
        #: What the page says of an estimated model: what it rests on, and what is doubtful about it.
        self.warnings = warnings
        atexit.register(self.stop)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends the page; nothing happens if it has ended."""
        if self.running:
            self._process.terminate()  # not by SIGINT, which a program in the background may have been told to ignore
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<fairstep.explore at {self.url}>" if self.running else "<fairstep.explore, stopped>"

    def _repr_html_(self) -> str:
        if not self.running:
            return "<p>fairstep.explore: stopped</p>"
        address = html.escape(self.url, quote=True)
        return f'<p><a href="{address}" target="_blank" rel="noopener noreferrer">explore the model</a></p>'


def explore(
    model: Model | Counts | str | os.PathLike[str],
    *,
    baseline: Policy | str | os.PathLike[str] | None = None,
    port: int = 0,
) -> Explorer:
    """A page on this machine to move limits on, and see the policies change.

    `model` may be a model, counts (the page explores the model that `fit` makes of them), or a file of either; other
    policies are compared with `baseline`, or else with the best one found without limits. The page is that of the
    command `fairstep explore`, which must be on PATH: it runs beside Python until `stop()`.
    """
    command = shutil.which("fairstep")
    if command is None:
        raise FileNotFoundError(
            "explore() runs the command fairstep, which is not on PATH: `make build` in the repository leaves it in "
            "build/bin"
        )
    folder = Path(tempfile.mkdtemp(prefix="fairstep-explore-"))
    try:
        words = [command, "explore", _file(model, folder / "model.json"), "--port", str(port), "--json"]
        if baseline is not None:
            words += ["--baseline", _file(baseline, folder / "baseline.json")]
        # In a session of its own: Ctrl-C in a notebook's cell is not meant for the page.
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        said = _first_document(process)
        if "error" in said:
            process.communicate()
            refused = ValueError(said["error"]["message"])
            for word, key in (("in", "file"), ("hint:", "hint")):
                if said["error"][key]:
                    refused.add_note(f"{word} {said['error'][key]}")
            raise refused
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Explorer(process, folder, said["address"], said["warnings"])


def _file(given: Any, place: Path) -> str:
    """A file that has it."""
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    given.save(place)
    return str(place)


def _first_document(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What the command says once the page is there, or why it is not: a document that ends with a line of its own."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            document: dict[str, Any] = json.loads(text)
            return document
    raise RuntimeError(f"fairstep explore ended with code {process.wait()} before its page was there")
