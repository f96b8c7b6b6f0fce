"""Where things are."""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "system-tests" / "target" / "clients"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "facet" / "clients"


def cuda():
    """The folder of the CUDA compiler."""
    return pathlib.Path(subprocess.run([ROOT / "testkit" / "cuda", "--install"], check=True, capture_output=True, text=True).stdout.strip())


def java():
    """A JDK, as ./facet finds it."""
    script = 'root=%s; say() { :; }; source "$root/packaging/machine.bash"; find_jdk && printf %%s "$JAVA_HOME"' % ROOT
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout
    return pathlib.Path(found or os.environ.get("JAVA_HOME", "/usr"))
