"""A daemon for one client, and programs in its default slice."""

import os
import subprocess
import tempfile

from places import ROOT


class Daemon:
    def __init__(self, client):
        self.profile = client.profile
        self.folder = tempfile.TemporaryDirectory(prefix="facet-client-")
        self.environment = dict(os.environ, FACET_RUNTIME_DIR=self.folder.name, FACET_STATE_DIR=self.folder.name + "/state")

    def facet(self, *words, **more):
        return subprocess.run([ROOT / "facet", *words], env=self.environment, **more)

    def __enter__(self):
        self.facet("up", "--quiet", "--http", "off", "--profile", self.profile, "--state-dir", self.folder.name + "/state", check=True)
        return self

    def command(self, words):
        return [str(ROOT / "facet"), "run", "--", *map(str, words)]

    def __exit__(self, *problem):
        self.facet("down", stdout=subprocess.DEVNULL)
        self.folder.cleanup()
