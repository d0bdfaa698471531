"""What the system and the admin port tell of a running server."""
import pathlib, time, urllib.error, urllib.request
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from harness import CALL_SECONDS


def cpu_seconds(pid):
    """The processor time of all threads, to the microsecond; a tick of /proc/PID/stat is far too coarse."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            pass  # the thread has ended
    return total / 1e9


def busy_share(pid, seconds):
    """How much of one core the process takes, over the next `seconds`."""
    start, before = time.monotonic(), cpu_seconds(pid)
    time.sleep(seconds)
    return max(0.0, cpu_seconds(pid) - before) / (time.monotonic() - start)


def resident_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS: the process has ended")


def open_files(pid):
    return sum(1 for _ in pathlib.Path(f"/proc/{pid}/fd").iterdir())


def admin(server, path):
    """(status, body) of a path of the admin port."""
    try:
        with urllib.request.urlopen(f"http://{server.admin}{path}", timeout=CALL_SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Metrics:
    """The metrics of one moment, which must be valid OpenMetrics."""

    def __init__(self, server):
        self.families = list(text_string_to_metric_families(admin(server, "/metrics")[1]))
        self.samples = {(s.name, frozenset(s.labels.items())): s.value for family in self.families for s in family.samples}

    def get(self, name, **labels):
        """The sum of all series with this name and these labels."""
        return sum(value for (found, series), value in self.samples.items() if found == name and labels.items() <= dict(series).items())

    def by(self, name, *labels):
        """The values that are not 0, by the values of some labels."""
        found = {}
        for (sample, series), value in self.samples.items():
            if sample == name and value:
                key = tuple(dict(series)[label] for label in labels)
                found[key] = found.get(key, 0) + value
        return found

    def at_most(self, name, before, share):
        """The upper bound of the histogram's bucket below which `share` of what came since `before` lies."""
        buckets = sorted((float(dict(series)["le"]), value - before.samples[name + "_bucket", series])
                         for (found, series), value in self.samples.items() if found == name + "_bucket")
        return next(bound for bound, count in buckets if count >= share * buckets[-1][1])
