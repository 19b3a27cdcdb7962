"""Types: the stub is what the module says of itself, and mypy agrees with both."""

import inspect
import subprocess
import sys

import pytest
from conftest import MODULE, PATIENCE, ROOT

import fairstep as fs

PACKAGE = ROOT / "python" / "fairstep"
EXAMPLE = ROOT / "tests" / "python" / "module" / "typed_example.py"


def test_the_stub_is_what_stubgen_makes(tmp_path):
    made = tmp_path / "_core.pyi"
    stubgen = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "fairstep._core", "-o", made]
    subprocess.run(stubgen, env={"PYTHONPATH": str(MODULE), "PATH": "/usr/bin:/bin"}, check=True)
    assert made.read_text() == (PACKAGE / "_core.pyi").read_text(), (
        "the stub is not that of the module; make it anew:\n"
        "PYTHONPATH=build/python build/venv/bin/python -m nanobind.stubgen -q -m fairstep._core "
        "-o python/fairstep/_core.pyi"
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", [[], [EXAMPLE]])
def test_mypy_is_content(what, tmp_path):
    """The package itself, and a user's program that imports it, both strictly."""
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, *what]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_runs():
    subprocess.run(
        [sys.executable, EXAMPLE],
        env={"PYTHONPATH": str(MODULE), "PATH": "/usr/bin:/bin"},
        check=True,
        timeout=PATIENCE,
    )


def test_everything_public_is_documented_and_typed():
    for name in fs.__all__:
        thing = getattr(fs, name)
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            assert signature.return_annotation is not inspect.Signature.empty, name
            for parameter in signature.parameters.values():
                if parameter.name != "model" or "Args:" in thing.__doc__:
                    documented = f"{parameter.name}:" in thing.__doc__ or "Args:" not in thing.__doc__
                    assert documented, f"{name}: {parameter.name} is not in its documentation"
        elif inspect.isclass(thing):
            for part in vars(thing):
                if not part.startswith("_") and isinstance(inspect.getattr_static(thing, part), property):
                    assert hasattr(thing, part)
    assert set(fs.__all__) <= set(dir(fs))
    with pytest.raises(AttributeError, match="has no attribute 'slove'"):
        fs.slove  # noqa: B018
