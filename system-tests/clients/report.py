"""What ran, and what stopped the rest."""

from collections import Counter

from places import HERE


class Report:
    def __init__(self, client):
        self.client = client
        self.problem = None
        self.passed = 0
        self.skipped = 0
        self.stopped = Counter()  # by reason
        self.failed = {}  # name of the test: why. These passed before
        self.mended = []  # written down as stopped, and passes

    @property
    def file(self):
        return HERE / "stopped" / (self.client.name + ".txt")

    def known(self):
        """Tests that are stopped, with the reason: 'reason<tab>test', where a * at the end stands for the rest of the name."""
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        return [line.split("\t") for line in lines if line and not line.startswith("#")]

    @staticmethod
    def matches(name, pattern):
        return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern

    def fill(self, results):
        known = self.known()
        for name, (outcome, why) in results.items():
            reason = next((reason for reason, pattern in known if self.matches(name, pattern)), None)
            if outcome == "passed":
                self.passed += 1
                if reason is not None:
                    self.mended.append(name)
            elif outcome == "skipped":
                self.skipped += 1
            elif reason is not None:
                self.stopped[reason] += 1
            else:
                self.failed[name] = why

    def write_stopped(self):
        with open(self.file, "a") as file:
            for name, why in sorted(self.failed.items()):
                file.write("%s\t%s\n" % (why.replace("\t", " "), name))

    def is_good(self):
        return self.problem is None and not self.failed

    def as_json(self):
        return {
            "client": self.client.name,
            "version": self.client.version,
            "profile": self.client.profile,
            "passed": self.passed,
            "skipped": self.skipped,
            "stopped": dict(self.stopped),
            "failed": self.failed,
            "mended": self.mended,
            "problem": self.problem,
        }


HEAD = ("CLIENT", "VERSION", "PROFILE", "PASSED", "SKIPPED", "STOPPED", "FAILED")


def print_table(reports):
    rows = [HEAD]
    for each in reports:
        counts = (each.passed, each.skipped, sum(each.stopped.values()), len(each.failed))
        rows.append((each.client.name, each.client.version, each.client.profile, *map(str, counts)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        print("  ".join(row[i].ljust(widths[i]) if i < 3 else row[i].rjust(widths[i]) for i in range(len(HEAD))))
    for each in reports:
        print_details(each)


def print_details(report):
    name = report.client.name
    if report.problem is not None:
        print("\n%s: %s" % (name, report.problem))
    if report.stopped:
        print("\n%s, stopped by:" % name)
        for reason, count in report.stopped.most_common():
            print("  %4d  %s" % (count, reason))
    if report.failed:
        print("\n%s, failed and not known to be stopped:" % name)
        for test, why in sorted(report.failed.items()):
            print("  %s: %s" % (test, why))
    if report.mended:
        print("\n%s, passes now and can leave %s:" % (name, report.file.name))
        for test in report.mended:
            print("  %s" % test)
