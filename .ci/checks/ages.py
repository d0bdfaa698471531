"""Connections that reach their age under load: no call of grpcio or grpc-js fails."""
import collections, concurrent.futures, json, os, pathlib, subprocess, tempfile, threading, time
import grpc
from checks.clients import EMPTY, SOLVE, Client, messages
from checks.raw import GoAway, Peer
from harness import CALL_SECONDS, PUZZLE, ROOT, Server

SOME = messages.EnumerateSolutionsRequest(grid=EMPTY, limit=200)
PACKAGES = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "ci/npm/package.json"
GRPC_JS = pathlib.Path(__file__).with_name("grpc_js_load.js")


class Callers:
    """Threads that call all the time on one channel, with every kind of method; each outcome is counted."""

    def __init__(self, address, until):
        self.client, self.until = Client(address), until
        self.ended = collections.Counter()
        calls = [self.solve, self.solve, self.enumerate, self.stream, self.one_long_stream]
        self.threads = [threading.Thread(target=self.repeat, args=[call], daemon=True) for call in calls]
        for thread in self.threads:
            thread.start()

    def repeat(self, call):
        while time.monotonic() < self.until:
            try:
                call()
                code = "OK"
            except grpc.RpcError as error:
                code = f"{call.__name__}: {error.code().name}: {error.details()}"
            except Exception as error:  # a wrong answer is a failure like any other
                code = f"{call.__name__}: {error!r}"
            self.ended[code] += 1

    def solve(self):
        self.client.solves()

    def enumerate(self):
        count = sum(len(answer.solutions) for answer in self.client.sudoku.EnumerateSolutions(SOME, timeout=CALL_SECONDS))
        assert count == 200, count

    def stream(self):
        requests = [messages.StreamSolveRequest(request=SOLVE)] * 20
        count = sum(1 for _ in self.client.sudoku.StreamSolve(iter(requests), timeout=CALL_SECONDS))
        assert count == 20, count

    def one_long_stream(self):
        """It outlives the age of its connection many times."""
        sent = 0

        def requests():
            nonlocal sent
            while time.monotonic() < self.until:
                sent += 1
                yield messages.StreamSolveRequest(request=SOLVE)
                time.sleep(0.05)

        count = sum(1 for _ in self.client.sudoku.StreamSolve(requests(), timeout=2 * CALL_SECONDS))
        assert count == sent, f"{count} answers to {sent} requests"

    def result(self):
        for thread in self.threads:
            thread.join(2 * CALL_SECONDS)
        self.client.channel.close()
        failed = {code: count for code, count in self.ended.items() if code != "OK"}
        return self.ended["OK"], failed


def announced(address):
    """The age, as GOAWAY tells it, and the jitter: not all connections at once."""
    def age(_):
        with Peer(address) as peer:
            begun = time.monotonic()
            return peer.until(GoAway)[0] - begun

    with concurrent.futures.ThreadPoolExecutor(20) as threads:
        ages = list(threads.map(age, range(20)))
    assert min(ages) > 0.85 and max(ages) < 3, ages
    assert max(ages) - min(ages) > 0.02, f"all at once: {ages}"
    return f"20 connections were told to go after {min(ages):.2f} to {max(ages):.2f} s"


def grpcio(address, seconds):
    good, failed = Callers(address, time.monotonic() + seconds).result()
    assert not failed, f"{failed} beside {good} good calls"
    return f"grpcio: {good} calls, none failed"


def grpc_js(address, seconds):
    done = subprocess.run(["node", str(GRPC_JS), str(PACKAGES), address, str(seconds)],
                          capture_output=True, text=True, timeout=seconds + CALL_SECONDS, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    found = json.loads(done.stdout)
    assert found["good"] > 0 and not found["failed"], found
    return f"grpc-js: {found['good']} calls, none failed"


def tonic(address, seconds, load):
    """What tonic's own client sees: some calls that it had not sent yet may fail there."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as puzzles:
        puzzles.write(PUZZLE + "\n")
        puzzles.flush()
        done = subprocess.run([load, "--address", f"http://{address}", "--seconds", str(seconds), "--in-flight", "8", puzzles.name],
                              capture_output=True, text=True, timeout=seconds + CALL_SECONDS, check=False)
    found = json.loads(done.stdout)
    assert found["puzzles"] > 0, done.stderr
    return f"tonic: {found['puzzles']} calls, failed: {found['failed'] or 'none'}, report: {done.stdout.strip()}"


def check(arguments, tally):
    seconds = 20 if arguments.long else 5
    with Server(arguments.binary, "--max-connection-age", "1s") as server:
        address = server.address()
        tally.check("age is announced, with jitter", announced, address)
        tally.check(f"{seconds} s of grpcio over connections of 1 s", grpcio, address, seconds)
        tally.check(f"{seconds} s of grpc-js", grpc_js, address, seconds)
        if arguments.load:
            tally.check(f"{seconds} s of tonic", tonic, address, seconds, arguments.load)
        else:
            print("left out: tonic, no --load")
