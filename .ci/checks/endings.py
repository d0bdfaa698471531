"""SIGTERM, with all kinds of calls open: in time, in order, with exit code 0."""
import signal, subprocess, threading, time
import grpc, h2.events
from grpc_health.v1 import health_pb2
from checks.clients import ENUMERATE, SOLVE, Client, Failed, messages, milliseconds
from checks.process import admin
from checks.raw import GoAway, Peer, message
from harness import CALL_SECONDS, SERVICE, Server

CAP = 3.0
# What ending may take on top of the cap: threads to be joined on a busy machine.
MARGIN = 2.0


def ends(server, within):
    """Waits for the process to end of itself, and gives how long that took."""
    start = time.monotonic()
    code = server.process.wait(timeout=CALL_SECONDS)
    took = time.monotonic() - start
    assert code == 0, f"exit code {code}"
    assert took < within, f"it took {took:.2f} s"
    return took


def terminate(server):
    server.process.send_signal(signal.SIGTERM)


def with_cap(binary, *flags):
    return Server(binary, "--drain-timeout", f"{CAP:.0f}s", *flags)


def nothing_open(binary):
    """A channel that is open and idle holds nothing up."""
    with with_cap(binary) as server, Client(server.address()) as client:
        client.solves()
        terminate(server)
        return f"it ended after {milliseconds(ends(server, CAP))}"


def silent_peer(binary):
    """Nor does a peer that has no call open and answers nothing, not even that it has understood."""
    with with_cap(binary) as server, Peer(server.address()) as peer:
        ended = peer.outcome(peer.begin("Solve", body=message(SOLVE)))
        assert ended.code == 0
        terminate(server)
        return f"it ended after {milliseconds(ends(server, CAP))}"


def idle_stream(binary):
    """A stream without requests is told to go on elsewhere, after the answers to what had arrived."""
    with with_cap(binary) as server, Client(server.address()) as client:
        done, sent = threading.Event(), [messages.StreamSolveRequest(request=SOLVE)] * 300

        def requests():
            yield from sent
            done.wait(CALL_SECONDS)

        answers = client.sudoku.StreamSolve(requests())
        for _ in range(len(sent) // 2):
            next(answers)
        terminate(server)
        count = len(sent) // 2
        try:
            for _ in answers:
                count += 1
        except grpc.RpcError as error:
            found = Failed(error)
        done.set()
        assert (found.code, found.reason) == ("UNAVAILABLE", "DRAINING"), f"{found.code}: {found.message}"
        assert found.retry and int(found.pushback) > 0, found.trailers
        return f"{count} of {len(sent)} answered, then UNAVAILABLE; it ended after {milliseconds(ends(server, CAP))}"


def running_enumeration(binary):
    """An enumeration that is read goes on, to its end if that comes before the cap."""
    with with_cap(binary) as server, Client(server.address()) as client:
        answers = client.sudoku.EnumerateSolutions(messages.EnumerateSolutionsRequest(grid="." * 81, limit=100_000), timeout=CALL_SECONDS)
        found = len(next(answers).solutions)
        terminate(server)
        found += sum(len(answer.solutions) for answer in answers)
        assert found > 90_000, f"{found} solutions"
        return f"{found} solutions; it ended {milliseconds(ends(server, CAP + MARGIN))} after the last"


def stuck_reader(binary):
    """One that is not read is cut off at the cap."""
    with with_cap(binary) as server, Peer(server.address()) as peer:
        stream = peer.begin("EnumerateSolutions", body=message(ENUMERATE))
        peer.until(h2.events.DataReceived, stream)
        terminate(server)
        took = ends(server, CAP + MARGIN)
        return f"it ended after {took:.2f} s, the cap being {CAP} s"


def second_signal(binary):
    """Whoever is in a hurry sends a second signal."""
    with Server(binary, "--drain-timeout", "60s") as server, Peer(server.address()) as peer:
        stream = peer.begin("EnumerateSolutions", body=message(ENUMERATE))
        peer.until(h2.events.DataReceived, stream)
        terminate(server)
        deadline = time.monotonic() + CALL_SECONDS
        while "draining" not in (server.next_line(deadline) or "draining"):
            pass
        try:
            server.process.wait(timeout=0.3)
            raise AssertionError("it did not wait for the open call")
        except subprocess.TimeoutExpired:
            pass
        terminate(server)
        start = time.monotonic()
        code = server.process.wait(timeout=CALL_SECONDS)
        took = time.monotonic() - start
        assert took < MARGIN, f"it took {took:.2f} s"
        return f"exit code {code} after {milliseconds(took)}"


def order(binary):
    """Health turns first; all is served until the delay is over, and then everybody is told to go."""
    with with_cap(binary, "--drain-delay", "1s") as server, Peer(address := server.address()) as peer:
        request = message(health_pb2.HealthCheckRequest(service=SERVICE))
        watches = [peer.begin("Watch", body=request, service="grpc.health.v1.Health"),
                   peer.begin("Watch", body=message(b""), service="grpc.health.v1.Health")]
        for watch in watches:
            peer.until(h2.events.DataReceived, watch)
        readiness = Readiness(server)
        begun = time.monotonic()
        terminate(server)
        assert readiness.first_unready(), "/readyz never turned"
        with Client(address) as late:
            late.solves()
        goaway, _ = peer.until(GoAway)
        while peer.read(time.monotonic() + CALL_SECONDS):
            pass
        took = ends(server, CAP + MARGIN)
        told = {watch: [(at, status(event.data)) for at, event in peer.events
                        if isinstance(event, h2.events.DataReceived) and event.stream_id == watch] for watch in watches}
        for watch, statuses in told.items():
            assert [found for _, found in statuses] == [1, 2], f"watch {watch} was told {statuses}"
            assert statuses[-1][0] <= goaway, "GOAWAY came first"
        unready = readiness.first_unready()
        turned = max(statuses[-1][0] for statuses in told.values())
        assert unready < goaway, "/readyz turned after GOAWAY"
        assert goaway - begun > 0.9, "it did not wait"
        return (f"after SIGTERM: watches turn at {milliseconds(turned - begun)}, /readyz seen 503 at {milliseconds(unready - begun)}, "
                f"GOAWAY at {milliseconds(goaway - begun)}, end {milliseconds(took)} later")


def status(data):
    """The status in the message of a watch: one enum field, after the prefix."""
    return health_pb2.HealthCheckResponse.FromString(data[5:]).status


class Readiness:
    """Asks /readyz all the time, and keeps when the answer first was no."""

    def __init__(self, server):
        assert admin(server, "/readyz")[0] == 200
        self.server, self.unready = server, None
        self.thread = threading.Thread(target=self.ask, daemon=True)
        self.thread.start()

    def ask(self):
        while self.server.process.poll() is None and not self.unready:
            try:
                if admin(self.server, "/readyz")[0] == 503:
                    self.unready = time.monotonic()
            except OSError:
                pass

    def first_unready(self):
        self.thread.join(CALL_SECONDS)
        return self.unready


def check(arguments, tally):
    for name, body in [("SIGTERM with an idle channel", nothing_open), ("with a silent peer", silent_peer), ("with an idle stream", idle_stream),
                       ("with a running enumeration", running_enumeration), ("with a stuck reader", stuck_reader),
                       ("with a second signal", second_signal), ("health, readiness and GOAWAY in order", order)]:
        tally.check(name, body, arguments.binary)
