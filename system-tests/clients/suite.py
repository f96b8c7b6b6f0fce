"""Runs the tests of a client in a slice. A result is the name of a test with passed, skipped or failed, and the reason."""

import os
import signal
import subprocess
import sys
import xml.etree.ElementTree

from places import HERE, OUT, cuda, java


def run_suite(client, place, daemon, only, processes):
    """Results by name, and what went wrong with the whole of it, or None."""
    folder = OUT / client.name
    folder.mkdir(parents=True, exist_ok=True)
    if client.kind == "java":
        return run_java(client, place, daemon, folder)
    return run_pytest(client, place, daemon, folder, only, processes)


def in_slice(words, daemon, folder, seconds, more):
    """True when it ended in time. It gets a group of processes of its own, all of which end with it."""
    with open(folder / "output.txt", "w") as output:
        process = subprocess.Popen(
            daemon.command(words), stdout=output, stderr=subprocess.STDOUT, cwd=folder, env=dict(daemon.environment, **more), start_new_session=True
        )
        try:
            process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def environment_of(client, place):
    folder = cuda()
    own = {name: value.format(own=HERE / "tests") for name, value in client.environment.items()}
    return dict(own, CUDA_HOME=str(folder), NVCC=str(folder / "bin/nvcc"), PATH="%s:%s:%s" % (place / "venv/bin", folder / "bin", os.environ["PATH"]))


def run_pytest(client, place, daemon, folder, only, processes):
    site = next((place / "venv/lib").glob("python*/site-packages"))
    results = folder / "results.xml"
    results.unlink(missing_ok=True)
    words = [place / "venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", results]
    # A test that hangs or crashes ends its process; the others go on in a new one.
    words += ["-n", processes, "--timeout", client.test_seconds, "--timeout-method", "thread"]
    words += ["-k", only] if only else []
    words += [each.format(site=site, own=HERE / "tests", source=place / "source") for each in client.tests]
    in_time = in_slice(words, daemon, folder, client.seconds, environment_of(client, place))
    if not in_time:
        return {}, "not done after %d seconds: %s" % (client.seconds, folder / "output.txt")
    if not results.exists():
        return {}, "no results: %s" % (folder / "output.txt")
    return read_results(results), None


def read_results(path):
    results = {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        # Our own tests are known by their file, wherever pytest was started.
        place = case.get("classname").rpartition("clients.tests.")[2]
        name = "%s::%s" % (place, case.get("name"))
        results.setdefault(name, ("passed", ""))
        for outcome in case:
            if outcome.tag in ("failure", "error"):
                results[name] = ("failed", first_line(outcome.get("message")))
            elif outcome.tag == "skipped":
                results[name] = ("skipped", first_line(outcome.get("message")))
    return results


def first_line(text):
    return (text or "").strip().split("\n")[0][:200]


def run_java(client, place, daemon, folder):
    """Our classes print a line for each test: ok NAME, or failed NAME: why."""
    jdk = java()
    path = "%s/*:%s" % (place / "jars", folder / "classes")
    sources = [HERE / "tests" / (name + ".java") for name in client.tests]
    compiled = subprocess.run(
        list(map(str, [jdk / "bin/javac", "-d", folder / "classes", "-cp", path, *sources])), capture_output=True, text=True
    )
    if compiled.returncode != 0:
        return {}, "does not compile: %s" % compiled.stderr
    words = [jdk / "bin/java", "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=%s" % folder, "-cp", path, *client.tests]
    in_time = in_slice(words, daemon, folder, client.seconds, {"CUDA_HOME": str(cuda())})
    results = {}
    for line in (folder / "output.txt").read_text(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        name, _, why = rest.partition(": ")
        if word == "ok":
            results[name] = ("passed", "")
        elif word == "failed":
            results[name] = ("failed", why)
    ended = "done" in (folder / "output.txt").read_text(errors="replace").splitlines()
    return results, None if in_time and ended else "did not come to its end: %s" % (folder / "output.txt")


if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or newer is needed")
