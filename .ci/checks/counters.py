"""The metrics tell what the clients saw, call by call."""
import collections, concurrent.futures, random, threading
import grpc
from checks.clients import COUNT, ENUMERATE, HOSTILE_BATCH, SOLVE, Client, messages, wait_until
from checks.process import Metrics
from harness import CALL_SECONDS, PUZZLE, SERVICE, Server

NAMES = {"CANCELLED": "Canceled"}


class Mixed:
    """Calls of all kinds and with all kinds of ends, each counted by method and code."""

    def __init__(self, client):
        self.client, self.sudoku = client, client.sudoku
        self.seen, self.sent, self.got = collections.Counter(), collections.Counter(), collections.Counter()
        self.lock = threading.Lock()

    def count(self, method, code, sent=None, got=None):
        with self.lock:
            self.seen[method, NAMES.get(code, code if code == "OK" else code.title().replace("_", ""))] += 1
            # Of a call that is cut off nobody knows how far its messages came.
            if sent is not None:
                self.sent[method] += sent
                self.got[method] += got

    def unary(self, method, request):
        try:
            getattr(self.sudoku, method)(request, timeout=CALL_SECONDS)
            self.count(method, "OK", 1, 1)
        except grpc.RpcError as error:
            self.count(method, error.code().name, 1, 0)

    def solve(self):
        self.unary("Solve", SOLVE)

    def malformed(self):
        self.unary("Solve", messages.SolveRequest(grid="?"))

    def validate(self):
        self.unary("Validate", messages.ValidateRequest(grid=PUZZLE))

    def batch(self):
        self.unary("BatchSolve", messages.BatchSolveRequest(requests=[SOLVE] * 9))

    def out_of_range(self):
        self.unary("CountSolutions", messages.CountSolutionsRequest(grid=PUZZLE, limit=-1))

    def read(self, method, answers, cancel_after=None):
        """Reads a stream to its end, or cancels it on the way."""
        try:
            for number, _ in enumerate(answers, 1):
                if number == cancel_after:
                    answers.cancel()
            code = "OK"
        except grpc.RpcError as error:
            code = error.code().name
        self.count(method, code)

    def enumerate(self):
        request = messages.EnumerateSolutionsRequest(grid="." * 81, limit=250)
        self.read("EnumerateSolutions", self.sudoku.EnumerateSolutions(request, timeout=CALL_SECONDS))

    def stream(self):
        requests = [messages.StreamSolveRequest(request=SOLVE)] * 5
        self.read("StreamSolve", self.sudoku.StreamSolve(iter(requests), timeout=CALL_SECONDS))

    def passed_deadline(self):
        # The server's clock alone: if both looked at theirs, either could be first to say so.
        try:
            self.sudoku.CountSolutions(COUNT, metadata=(("grpc-timeout", "1n"),))
        except grpc.RpcError as error:
            self.count("CountSolutions", error.code().name)

    def cancelled_enumeration(self):
        self.read("EnumerateSolutions", self.sudoku.EnumerateSolutions(ENUMERATE, timeout=CALL_SECONDS), cancel_after=1)

    def cancelled_stream(self):
        done = threading.Event()

        def requests():
            yield messages.StreamSolveRequest(request=SOLVE)
            done.wait(CALL_SECONDS)

        self.read("StreamSolve", self.sudoku.StreamSolve(requests(), timeout=CALL_SECONDS), cancel_after=1)
        done.set()

    def unknown(self):
        dice = random.randbytes(6).hex()
        try:
            self.client.channel.unary_unary(f"/{dice}.{SERVICE}/{dice}")(b"", timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            self.count("unknown", error.code().name)

    def go(self, count):
        rare = [self.batch, self.malformed, self.out_of_range, self.enumerate, self.stream, self.passed_deadline, self.cancelled_enumeration,
                self.cancelled_stream, self.unknown]
        calls = [self.solve, self.validate] * 5 + rare
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            # Fails if one of them raised what it does not count.
            list(threads.map(lambda number: calls[number % len(calls)](), range(count)))


def mixed(server, address, count):
    before = Metrics(server)
    with Client(address) as client:
        calls = Mixed(client)
        calls.go(count)
    wait_until(lambda: Metrics(server).get("sudoku_inflight") == 0)
    after = Metrics(server)
    handled = minus(*(metrics.by("grpc_server_handled_total", "grpc_method", "grpc_code") for metrics in (after, before)))
    differing = {key: (calls.seen[key], int(handled.get(key, 0))) for key in calls.seen | handled if calls.seen[key] != handled.get(key, 0)}
    assert not differing, f"(the clients saw, the server counted): {differing}"
    started, timed = (minus(after.by(name, "grpc_method"), before.by(name, "grpc_method"))
                      for name in ("grpc_server_started_total", "grpc_server_handling_seconds_count"))
    assert started == timed and sum(started.values()) == sum(calls.seen.values()), (started, timed)
    for name, want in [("received", calls.sent), ("sent", calls.got)]:
        found = after.by(f"grpc_server_msg_{name}_total", "grpc_method")
        for method in ("Solve", "Validate", "BatchSolve"):
            assert found[method,] == want[method], f"{name}, {method}: the clients {want[method]}, the server {found[method,]}"
    assert after.get("sudoku_puzzles_total", rpc="BatchSolve") == 9 * calls.seen["BatchSolve", "OK"]
    assert after.get("sudoku_panics_total") == 0
    assert after.samples.keys() == before.samples.keys(), after.samples.keys() - before.samples.keys()
    return f"{sum(calls.seen.values())} calls: " + ", ".join(f"{m} {c} {n}" for (m, c), n in sorted(calls.seen.items()))


def minus(after, before):
    return {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}


def own_deadlines(server, address):
    """Where both have a clock, the server may see the deadline or the client leaving, but it sees every call."""
    wait_until(lambda: Metrics(server).get("sudoku_inflight") == 0)
    before = Metrics(server)
    with Client(address) as client:
        for method, request in [("CountSolutions", COUNT), ("BatchSolve", HOSTILE_BATCH)] * 20:
            try:
                getattr(client.sudoku, method)(request, timeout=0.02)
                raise AssertionError("it had time enough")
            except grpc.RpcError as error:
                assert error.code() in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE), error
    wait_until(lambda: Metrics(server).get("sudoku_inflight") == 0)
    found = minus(Metrics(server).by("grpc_server_handled_total", "grpc_code"), before.by("grpc_server_handled_total", "grpc_code"))
    assert sum(found.values()) == 40 and {code for code, in found} <= {"DeadlineExceeded", "Canceled", "Unavailable"}, found
    return f"the server counted {({code: int(count) for (code,), count in found.items()})}"


def check(arguments, tally):
    with Server(arguments.binary, "--engine", "portable") as server:
        address = server.address()
        tally.check("counters and clients agree", mixed, server, address, 10_000 if arguments.long else 3_000)
        tally.check("deadlines of clients", own_deadlines, server, address)
