"""Fetches a client from its registry, once. What is at its place is whole."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile

from clients import RUNNER
from places import CACHE, ROOT, cuda, java


class NotPrepared(Exception):
    pass


def prepare(client):
    """The folder with the client in it."""
    words = " ".join(client.packages + client.helpers + RUNNER + (sys.version.split()[0],))
    place = CACHE / ("%s-%s-%s" % (client.name, client.version, hashlib.sha256(words.encode()).hexdigest()[:8]))
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / (client.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (place / "whole").exists():
            return place
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if client.kind == "java":
            fetch_jars(client, place)
        else:
            fetch_packages(client, place)
        (place / "whole").touch()
    return place


def run(words, place, environment=None):
    with open(place / "log.txt", "a") as log:
        if subprocess.run(list(map(str, words)), stdout=log, stderr=subprocess.STDOUT, cwd=place, env=environment).returncode != 0:
            raise NotPrepared("could not be fetched or built: %s" % (place / "log.txt"))


def fetch_packages(client, place):
    # A path of its own for the environment: its scripts name it, so it cannot be moved.
    run([sys.executable, "-m", "venv", place / "venv"], place)
    pip = [place / "venv/bin/python", "-m", "pip"]
    packages = list(client.helpers + RUNNER)
    if client.source:
        fetch_source(client, place, pip)
    else:
        packages += client.packages
    run(pip + ["install", "--disable-pip-version-check", *packages], place)
    if client.source:
        run(pip + ["install", "--disable-pip-version-check", place / "source"], place, build_environment())


def build_environment():
    """nvcc, its headers, and our driver to link with."""
    folder = cuda()
    libraries = "%s:%s" % (ROOT / "native/target/lib", folder / "lib64")
    return dict(os.environ, CUDA_HOME=str(folder), PATH="%s:%s" % (folder / "bin", os.environ["PATH"]), LIBRARY_PATH=libraries)


def fetch_source(client, place, pip):
    words = ["download", "--no-deps", "--no-binary", client.name, "--dest", place / "download", *client.packages]
    run(pip + words, place, build_environment())
    (archive,) = (place / "download").iterdir()
    with tarfile.open(archive) as tar:
        tar.extractall(place / "unpacked", filter="data")
    (folder,) = (place / "unpacked").iterdir()
    folder.rename(place / "source")
    # Random numbers by the vendor's library cannot run here, and its headers are another package.
    (place / "source" / "siteconf.py").write_text("CUDA_ENABLE_CURAND = False\n")


DEPENDENCY = "<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId><version>{2}</version>{3}</dependency>"
PROJECT = (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>facet</groupId>'
    "<artifactId>client</artifactId><version>1</version><dependencies>{0}</dependencies></project>"
)


def fetch_jars(client, place):
    dependencies = []
    for package in client.packages:
        group, artifact, version, *rest = package.split(":")
        classifier = "<classifier>%s</classifier>" % rest[0] if rest else ""
        dependencies.append(DEPENDENCY.format(group, artifact, version, classifier))
    (place / "pom.xml").write_text(PROJECT.format("".join(dependencies)))
    environment = dict(os.environ, JAVA_HOME=str(java()))
    words = ["mvn", "--batch-mode", "--no-transfer-progress", "dependency:copy-dependencies", "-DoutputDirectory=%s" % (place / "jars")]
    run(words, place, environment)
