"""Calls with grpcio, and what their errors say."""
import contextlib, sys, threading, time
import google.rpc.error_details_pb2 as details
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status
from harness import CALL_SECONDS, PUZZLE, ROOT, SERVICE

sys.path.append(str(ROOT / "proto"))
messages, services = grpc.protos_and_services("sudoku/v1/sudoku.proto")

EMPTY = "." * 81
# It has no solution, and to find that out takes any engine ten thousands of guesses.
HOSTILE = ".4.....81...6..........84..1..5......84............5..............7...1.81.....4."
MOST = 1_000_000  # solutions of a count or an enumeration

SOLVE = messages.SolveRequest(grid=PUZZLE)
COUNT = messages.CountSolutionsRequest(grid=EMPTY, limit=MOST)
ENUMERATE = messages.EnumerateSolutionsRequest(grid=EMPTY, limit=MOST)
HOSTILE_BATCH = messages.BatchSolveRequest(requests=[messages.SolveRequest(grid=HOSTILE)] * 1000)


class Client:
    """A channel of its own with the stubs of the service and of its health."""

    def __init__(self, address, *options, credentials=None):
        # Without this all channels to one address share a connection.
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20), *options]
        secure = credentials and grpc.secure_channel(address, credentials, options)
        self.channel = secure or grpc.insecure_channel(address, options)
        self.sudoku = services.SudokuServiceStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()

    def solves(self, seconds=CALL_SECONDS):
        """The usual call, which must succeed."""
        assert self.sudoku.Solve(SOLVE, timeout=seconds).status == messages.SOLVE_STATUS_SOLVED

    def serving(self, seconds=CALL_SECONDS):
        answer = self.health.Check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=seconds)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING, answer.status


class Failed:
    """What an error says, its details decoded."""

    def __init__(self, error):
        self.code, self.message = error.code().name, error.details()
        self.trailers = dict(error.trailing_metadata() or ())
        self.size = len(self.trailers.get("grpc-status-details-bin", b""))
        status = rpc_status.from_call(error)
        self.details = list(status.details) if status else []
        info = self.detail(details.ErrorInfo)
        self.reason, self.domain, self.metadata = (info.reason, info.domain, dict(info.metadata)) if info else (None, None, None)
        self.fields = [violation.field for violation in (self.detail(details.BadRequest) or details.BadRequest()).field_violations]
        self.retry = self.detail(details.RetryInfo)
        self.pushback = self.trailers.get("grpc-retry-pushback-ms")

    def detail(self, kind):
        for detail in self.details:
            found = kind()
            if detail.Unpack(found):
                return found
        return None


def failure(call):
    """The failure that `call()` must end in; the messages of a stream are read until it comes."""
    try:
        answer = call()
        if hasattr(answer, "__next__"):
            for _ in answer:
                pass
    except grpc.RpcError as error:
        return Failed(error)
    raise AssertionError("it succeeded")


class Beside:
    """A well-behaved client that calls every few milliseconds while something else goes on."""

    def __init__(self, address, pause=0.02, call=Client.solves, **options):
        self.client, self.pause, self.call = Client(address, **options), pause, call
        self.times, self.failures, self.done = [], [], threading.Event()
        self.thread = threading.Thread(target=self.go_on, daemon=True)

    def go_on(self):
        while True:
            start = time.monotonic()
            try:
                self.call(self.client)
            except (grpc.RpcError, AssertionError) as error:
                self.failures.append(error)
            self.times.append(time.monotonic() - start)
            if self.done.wait(self.pause):
                return

    def __enter__(self):
        self.call(self.client)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join(CALL_SECONDS)
        self.client.channel.close()

    def check(self):
        """Every call was answered; gives in words how fast."""
        assert not self.failures, f"{len(self.failures)} of {len(self.times)} calls failed, first: {self.failures[0]}"
        times = f"median {milliseconds(percentile(self.times, 50))}, worst {milliseconds(max(self.times))}"
        return f"beside it {len(self.times)} calls, none failed, {times}"


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def wait_until(holds, seconds=CALL_SECONDS, pause=0.005):
    """Waits for `holds()` to be true, and gives how long that took; None if it did not come."""
    start = time.monotonic()
    while not holds():
        if time.monotonic() - start > seconds:
            return None
        time.sleep(pause)
    return time.monotonic() - start


@contextlib.contextmanager
def calls_in_background(count, call):
    """`count` threads that repeat `call()` for ever, whatever comes of it; it must end when `with` does."""
    done = threading.Event()

    def repeat():
        while not done.is_set():
            with contextlib.suppress(grpc.RpcError):
                call()

    threads = [threading.Thread(target=repeat, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    done.set()
    for thread in threads:
        thread.join(CALL_SECONDS)
