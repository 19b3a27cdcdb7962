"""The wheel that scripts/wheel makes: installed where there is nothing but NumPy, it solves, counts and reports."""

import email
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT

pytestmark = pytest.mark.needs("the wheel")

# What every Linux system with Python has.
BASE = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1"}

SOLVES = """
import ctypes, sys
for stranger in sys.argv[1:]:
    ctypes.CDLL(stranger)
import fairstep
m = fairstep.env("fico")
r = fairstep.solve(m, fairness="dp", limit=0.01)
assert r.outcome == "optimal" and abs(r.value - 0.553015) < 1e-4, r
e = fairstep.solve(fairstep.env("fico", horizon=3), fairness="eqopt", limit=0.05, penalty=1, no_proof=True)
counts = fairstep.count("log.csv", like=m)
assert fairstep.certify(counts, r.policy, model=m).check().holds
print(fairstep.__version__, fairstep.__file__)
"""


@pytest.fixture(scope="module")
def wheel():
    found = list((ROOT / "build" / "wheel").glob("fairstep-*.whl"))
    if not found:
        subprocess.run([ROOT / "scripts" / "wheel"], check=True)
        found = list((ROOT / "build" / "wheel").glob("fairstep-*.whl"))
    [wheel] = found
    return wheel


def run(python, *words, folder):
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}  # no LD_LIBRARY_PATH, no PYTHONPATH
    done = subprocess.run([python, *words], cwd=folder, env=clean, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def clean_environment(folder, wheel):
    """A new environment with NumPy, which is taken from ours so that nothing is fetched, and the wheel."""
    run(sys.executable, "-m", "venv", "--without-pip", "venv", folder=folder)
    site = folder / "venv" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    ours = Path(sysconfig.get_path("purelib"))
    for part in (*ours.glob("numpy"), *ours.glob("numpy.libs"), *ours.glob("numpy-*.dist-info")):
        shutil.copytree(part, site / part.name)
    python = folder / "venv" / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-index",
        "--disable-pip-version-check",
    ]
    run(*pip, wheel, folder=folder)
    return python, site


def needed(library):
    """Names of the libraries that one asks for, and where it looks for them."""
    text = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)), re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", text)


def test_it_needs_nothing_but_numpy(tmp_path, wheel, fairstep):
    fairstep("env", "fico", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    fairstep("simulate", "fico.json", "half.json", "--people", "2000", "-o", tmp_path / "log.csv", code=0)
    python, site = clean_environment(tmp_path, wheel)
    said = run(python, "-c", SOLVES, folder=tmp_path)
    assert str(site) in said

    # Another library of the same name that is loaded already must not be taken for ours.
    subprocess.run(
        ["cc", "-shared", "-x", "c", "-", "-o", tmp_path / "libhighs.so.1", "-Wl,-soname,libhighs.so.1"],
        input="int nothing;",
        text=True,
        check=True,
    )
    run(python, "-c", SOLVES, str(tmp_path / "libhighs.so.1"), folder=tmp_path)

    # What is linked is either base or here, and by names of our own.
    package = site / "fairstep"
    here = {library.name for library in (package / "lib").glob("*.so*")}
    for library in [*(package / "lib").glob("*.so*"), *package.glob("_core*.so")]:
        names, paths = needed(library)
        assert names <= BASE | here | {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, library
        assert paths == [("$ORIGIN" if library.parent.name == "lib" else "$ORIGIN/lib")], library
    assert all(name.startswith("libfairstep_") for name in here)
    found = subprocess.run(["ldd", *package.glob("_core*.so")], capture_output=True, text=True, check=True).stdout
    assert "not found" not in found and str(ROOT) not in found

    # Without pandas and matplotlib the message says what to install; Spark's part needs no compiled one.
    says = run(
        python,
        "-c",
        "import fairstep; e = fairstep.evaluate(m := fairstep.env('fico'), fairstep.policy(m, uniform=0.5))\n"
        "for ask in (e.rates.to_frame, e.plot):\n"
        "    try: ask()\n"
        "    except ImportError as missing: print(missing)",
        folder=tmp_path,
    )
    assert "pip install pandas" in says and "pip install matplotlib" in says
    for module in package.glob("_core*"):
        module.unlink()
    says = run(
        python,
        "-c",
        "import fairstep.spark\ntry: fairstep.solve\nexcept ImportError as missing: print(missing)",
        folder=tmp_path,
    )
    assert says.startswith("the compiled part of fairstep is not here")


def test_it_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as inside:
        names = inside.namelist()
        [metadata] = [name for name in names if name.endswith("METADATA")]
        facts = email.message_from_bytes(inside.read(metadata))
        libraries = sum(item.compress_size for item in inside.infolist() if "/lib/" in item.filename)
    version = re.search(r"project\(fairstep VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert facts["Name"] == "fairstep" and facts["Version"] == version
    assert facts.get_all("Requires-Dist")[0].startswith("numpy")
    assert {"fairstep/py.typed", "fairstep/_core.pyi", "fairstep/spark/__main__.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith((".cpp", ".hpp", ".a"))]
    for library in ("highs/highs.txt", "duckdb/duckdb.txt", "ipopt/ipopt/LICENSE"):
        assert f"fairstep/lib/licenses/{library}" in names
    # Those of what is compiled in, and a list of all.
    for part in ("libfmt-dev", "nlohmann-json3-dev", "libtomlplusplus-dev", "libboost-dev"):
        assert f"fairstep/lib/licenses/{part}/copyright" in names
    assert "fairstep/lib/licenses/nanobind/LICENSE" in names
    for text in ("gfortran/COPYING3", "gfortran/COPYING.RUNTIME", "quadmath/COPYING.LIB"):
        assert f"fairstep/lib/licenses/ipopt/{text}" in names
    assert any(re.fullmatch(r"fairstep/lib/licenses/lib(tl-)?expected-dev/copyright", name) for name in names)
    assert [name for name in names if name.endswith(".dist-info/licenses/THIRD_PARTY.md")]
    # Every library that is carried is in that list.
    listed = (ROOT / "THIRD_PARTY.md").read_text().lower()
    known = {"highs": "highs", "ipopt": "ipopt", "coinmumps": "mumps", "coinmetis": "metis", "duckdb": "duckdb"}
    known |= {"casadi-tp-openblas": "openblas", "gfortran": "libgfortran", "quadmath": "libquadmath", "fmt": "fmt"}
    known |= {"tomlplusplus": "toml++", "z": "zlib"}
    for name in names:
        if match := re.fullmatch(r"fairstep/lib/libfairstep_([a-z-]+?)(-[0-9a-f]+)?\.so[.0-9]*", name):
            assert known[match[1]] in listed, name
    assert libraries < 100e6


def test_auditwheel_finds_nothing_outside(wheel):
    tool = Path(sys.executable).with_name("auditwheel")
    environment = os.environ | {"PATH": f"{tool.parent}:{os.environ['PATH']}"}
    done = subprocess.run([tool, "show", wheel], capture_output=True, text=True, env=environment, check=True)
    # Only what has all it needs is consistent with one of these tags.
    assert 'consistent with the following platform tag: "manylinux_' in " ".join(done.stdout.split()), done.stdout
