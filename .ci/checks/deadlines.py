"""A search ends with its call: at the deadline, when it is cancelled, and when its client is gone."""
import socket, struct, time
import h2.errors
from checks.clients import COUNT, ENUMERATE, HOSTILE_BATCH, SOLVE, Client, messages, milliseconds, percentile, wait_until
from checks.process import Metrics, busy_share, cpu_seconds
from checks.raw import LARGE_WINDOW, Peer, message
from harness import Server

TIMEOUT, IDLE_AFTER, IDLE_FOR = 0.050, 0.020, 0.200
# How much of a core an idle process may take: its timers, and the answer to whoever asks.
IDLE_SHARE = 0.02
HEAVY = {"CountSolutions": COUNT, "EnumerateSolutions": ENUMERATE, "BatchSolve": HOSTILE_BATCH}


def ended_in_time(server, address, long):
    """The server's own clock, seen by a peer that has none."""
    words = []
    for method, request in HEAVY.items():
        times, shares = [], []
        for _ in range(20 if long else 5):
            with Peer(address) as peer:
                start = time.monotonic()
                ended = peer.outcome(peer.begin(method, ("grpc-timeout", "50m"), body=message(request)))
                if ended.code == 14:
                    continue  # the search before it is still on its way out
                assert (ended.code, ended.reason) == (4, "DEADLINE"), f"{method}: {ended.code} {ended.reason}"
                times.append(ended.at - start)
            time.sleep(IDLE_AFTER)
            shares.append(busy_share(server.process.pid, IDLE_FOR))
        assert percentile(times, 50) < (0.060 if long else 0.5), f"{method}: median {milliseconds(percentile(times, 50))}"
        assert percentile(shares, 50) < IDLE_SHARE * (1 if long else 10), f"{method}: afterwards {shares} of a core"
        words.append(f"{method} median {milliseconds(percentile(times, 50))}, worst {milliseconds(max(times))}, then {max(shares):.1%} of a core")
    return "; ".join(words)


def by_grpcio(address, long):
    """The same by the client's clock, which every client has."""
    times = []
    with Client(address) as client:
        client.solves()
        for _ in range(20 if long else 5):
            start = time.monotonic()
            try:
                client.sudoku.CountSolutions(COUNT, timeout=TIMEOUT)
            except Exception:
                times.append(time.monotonic() - start)
    assert percentile(times, 50) < (0.060 if long else 0.5), f"median {milliseconds(percentile(times, 50))}"
    return f"median {milliseconds(percentile(times, 50))}, worst {milliseconds(max(times))}"


def reset(peer, stream):
    peer.http.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
    peer.flush()


def abort(peer, _stream):
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


WAYS = {"cancelled": reset, "closed": lambda peer, _stream: peer.close(), "aborted": abort}


def left_alone(server, address, long):
    """A client that cancels, closes or is cut off leaves no work behind."""
    words = []
    stream = b"".join(message(messages.StreamSolveRequest(request=HOSTILE_BATCH.requests[0])) for _ in range(1000))
    bodies = {method: message(request) for method, request in HEAVY.items()} | {"StreamSolve": stream}
    for name, leave in WAYS.items():
        worst = 0
        for method, body in bodies.items():
            with Peer(address, stream_window=LARGE_WINDOW) as peer:
                leave(peer, begin_to_work(server, peer, method, body))
            time.sleep(IDLE_AFTER)
            share = busy_share(server.process.pid, IDLE_FOR)
            assert share < IDLE_SHARE * (2 if long else 10), f"{method}, {name}: afterwards {share:.1%} of a core"
            worst = max(worst, share)
        words.append(f"{name}: then {worst:.1%} of a core")
    return "; ".join(words)


def begin_to_work(server, peer, method, body):
    """A call on which some processor time has been spent; it may be refused while the one before it is on its way out."""
    pid = server.process.pid
    for _ in range(10):
        begun, start = peer.begin(method, body=body), cpu_seconds(pid)
        if wait_until(lambda: cpu_seconds(pid) - start > 0.01, 2, 0.002) is not None:
            return begun
    raise AssertionError(f"{method} does not work")


def stuck_reader(binary):
    """The deadline holds for a client that takes no more answers, too."""
    with Server(binary, "--deadline", "500ms") as server:
        with Peer(server.address(), stream_window=0) as peer:
            peer.begin("EnumerateSolutions", body=message(ENUMERATE))
            start = time.monotonic()
            while time.monotonic() - start < 5:
                if Metrics(server).by("grpc_server_handled_total", "grpc_method", "grpc_code"):
                    break
                time.sleep(0.05)
            ended = Metrics(server).by("grpc_server_handled_total", "grpc_method", "grpc_code")
            assert ended, "4.5 s after its deadline the call is still open"
            return f"{ended} after {time.monotonic() - start:.2f} s"


def check(arguments, tally):
    with Server(arguments.binary, "--engine", "portable") as server:
        address = server.address()
        with Client(address) as client:
            client.sudoku.Solve(SOLVE)
        tally.check("50 ms by the server's clock", ended_in_time, server, address, arguments.long)
        tally.check("50 ms by grpcio's clock", by_grpcio, address, arguments.long)
        tally.check("clients that leave", left_alone, server, address, arguments.long)
    tally.check("a reader that is stuck", stuck_reader, arguments.binary)
