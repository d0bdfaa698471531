"""Peers that mean harm: what they cost is bounded, the metrics show them, and the others are served meanwhile."""
import contextlib, tempfile, threading, time
from checks import attacks, certificates
from checks.clients import ENUMERATE, Beside, messages
from checks.process import Metrics, cpu_seconds, resident_mib
from checks.raw import PING, SETTINGS, frame, message
from harness import CALL_SECONDS, Server

PINGS = frame(PING, 0, 0, bytes(8)) * 1000
SETTINGS_FRAMES = frame(SETTINGS, 0, 0, b"\0\4\0\0\xff\xff") * 1000
# Grids of which every unit is broken: the answer is many times as large as the request.
LARGE_ANSWER = messages.BatchSolveRequest(requests=[messages.SolveRequest(grid="1" * 81)] * 300)


class Peak:
    """The greatest resident size while something goes on, and the processor time it took."""

    def __init__(self, pid):
        self.pid, self.done = pid, threading.Event()
        self.before = self.peak = resident_mib(pid)
        self.begun, self.cpu = time.monotonic(), cpu_seconds(pid)
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        with contextlib.suppress(OSError):  # when the process has ended
            while not self.done.wait(0.02):
                self.peak = max(self.peak, resident_mib(self.pid))

    def end(self):
        self.done.set()
        self.thread.join(CALL_SECONDS)
        self.share = (cpu_seconds(self.pid) - self.cpu) / (time.monotonic() - self.begun)
        return self.peak - self.before


def under(server, address, attack, most_mib, seconds):
    """Runs an attack beside a client that must not suffer; `attack` gives words, and checks what it can see itself."""
    with Beside(address) as client:
        peak, before = Peak(server.process.pid), Metrics(server)
        try:
            words = attack(server, address, seconds, before)
        finally:
            grown = peak.end()
    words = f"{words}; +{grown:.1f} MiB, {peak.share:.0%} of a core; {client.check()}"
    assert grown < most_mib, words
    assert server.process.poll() is None, "the process has ended"
    return words


# (name, attack, MiB that it may cost)
ATTACKS = [
    ("prefaces that never end", attacks.slow_prefaces, 20),
    ("headers that never end", attacks.slow_headers, 40),
    ("messages that never end", attacks.slow_bodies, 48),
    ("calls taken back at once", attacks.rapid_reset, 20),
    ("pings, not read", attacks.flood(PINGS, is_read=False), 20),
    ("pings, read", attacks.flood(PINGS, is_read=True), 20),
    ("settings, not read", attacks.flood(SETTINGS_FRAMES, is_read=False), 20),
    ("settings, read", attacks.flood(SETTINGS_FRAMES, is_read=True), 20),
    ("frames without data", attacks.empty_data, 20),
    ("large headers", attacks.large_headers, 20),
    ("other protocols", attacks.wrong_protocols, 20),
    ("enumerations not read", attacks.stuck_readers("EnumerateSolutions", message(ENUMERATE), 100), 20),
    ("large answers not read", attacks.stuck_readers("BatchSolve", message(LARGE_ANSWER), 100), 64),
]


def check(arguments, tally):
    seconds = 15 if arguments.long else 2
    quiet = ["--access-log", "off", "--max-connection-idle", "2s"]
    for name, attack, most_mib in ATTACKS:
        # Each its own server, so that one's memory is not counted as another's.
        with Server(arguments.binary, *quiet) as server:
            tally.check(name, under, server, server.address(), attack, most_mib, seconds)
    limit = [] if arguments.long else ["--max-connections", "800"]
    with Server(arguments.binary, *limit) as server:
        address = server.address()
        tally.check("more connections than it takes", under, server, address, attacks.idle_connections, 640 if arguments.long else 80, seconds)
    with Server(arguments.binary) as server:
        tally.check("no file descriptor left", under, server, server.address(), attacks.no_descriptors, 20, seconds)
    with tempfile.TemporaryDirectory() as folder:
        authority, mounted = certificates.Authority(), certificates.Mounted(folder)
        mounted.swap(*authority.server_pair(10)[1:])
        with Server(arguments.binary, *certificates.tls_flags(mounted)) as server:
            tally.check("plain text to TLS", over_tls, server, server.address(), authority, seconds)


def over_tls(server, address, authority, seconds):
    with certificates.Localhost(address, 0.02, credentials=certificates.credentials(authority)) as client:
        words = attacks.plain_text_to_tls(server, address, seconds, Metrics(server))
    return f"{words}; {client.check()}"
