"""What hostile peers do. Each takes the server, its address, about how long to go on, and the metrics from before; gives words."""
import contextlib, http.client, resource, socket, ssl, threading, time
import hpack
from checks.clients import SOLVE, Client, failure, wait_until
from checks.process import Metrics, busy_share, open_files, resident_mib
from checks.raw import CONTINUATION, DATA, HEADERS, PREFACE, RST_STREAM, SETTINGS, Peer, connect, frame, headers
from harness import CALL_SECONDS

END_STREAM, END_HEADERS = 1, 4
HELLO = PREFACE + frame(SETTINGS, 0, 0)


def rose(server, before, name, **labels):
    return int(Metrics(server).get(name, **labels) - before.get(name, **labels))


def seen(server, before, name, at_least, **labels):
    """The metric must come to show it."""
    took = wait_until(lambda: rose(server, before, name, **labels) >= at_least)
    assert took is not None, f"{name} {labels} rose by {rose(server, before, name, **labels)}, not {at_least}"
    return f"{name} +{rose(server, before, name, **labels)}"


@contextlib.contextmanager
def connections(address, count, first=b""):
    """Sockets that have sent something."""
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(count):
            found.append(stack.enter_context(connect(address)))
            found[-1].sendall(first)
        yield found


def ended_by_server(found, seconds):
    """How many of the connections the server has ended, in time."""
    deadline, ended = time.monotonic() + seconds, 0
    for one in found:
        one.settimeout(max(0.01, deadline - time.monotonic()))
        with contextlib.suppress(TimeoutError):
            try:
                while one.recv(65536):
                    pass
            except ConnectionError:
                pass
            ended += 1
    return ended


def slow_prefaces(server, address, seconds, before):
    with connections(address, 200, PREFACE[:5]) as found:
        words = [f"{rose(server, before, 'sudoku_connections')} open"]
        if seconds > 10:
            ended = ended_by_server(found, seconds)
            assert ended == len(found), f"{len(found) - ended} are still open"
            words.append("all ended by the server")
    return "; ".join(words + [seen(server, before, "sudoku_failed_handshakes_total", 200)])


def slow_headers(server, address, seconds, before):
    """Headers that never end, in frames of one byte each; or none after the first."""
    begun = HELLO + frame(HEADERS, END_STREAM, 1, hpack.Encoder().encode(headers("Solve"))[:10])
    with connections(address, 100, begun) as drip, connections(address, 100, begun) as silent:
        deadline = time.monotonic() + min(seconds, 3)
        while time.monotonic() < deadline and drip:
            for one in list(drip):
                try:
                    one.sendall(frame(CONTINUATION, 0, 1, b"\0"))
                except OSError:
                    drip.remove(one)
            time.sleep(0.02)
        words = f"{100 - len(drip)} of 100 that go on were ended"
        if seconds > 10:
            # The server of this check lets connections be idle for two seconds, and then waits ten for an answer to its GOAWAY.
            words += f"; {ended_by_server(silent, 15)} of 100 silent ones were ended"
    wait_until(lambda: rose(server, before, "sudoku_connections") <= 1)
    return words


def slow_bodies(server, address, seconds, before):
    """Messages of which the last byte never comes."""
    size, calls = 4 << 20, 32
    body = b"\0" + size.to_bytes(4, "big") + bytes(size - 1)
    with Peer(address) as peer:
        for _ in range(calls):
            peer.begin("StreamSolve", body=body, end=False)
        words = f"{calls} messages of 4 MiB without their ends: {rose(server, before, 'sudoku_inflight')} in flight"
        time.sleep(0.2)
    return words + "; " + seen(server, before, "grpc_server_handled_total", calls, grpc_method="StreamSolve")


def rapid_reset(server, address, seconds, before):
    """Calls that are taken back at once, many connections one after the other."""
    deadline, resets, ended = time.monotonic() + seconds, 0, 0
    while time.monotonic() < deadline:
        encoder, stream = hpack.Encoder(), 1
        with contextlib.suppress(OSError), connect(address) as one:
            one.sendall(HELLO)
            for _ in range(100):
                block = b""
                for _ in range(100):
                    block += frame(HEADERS, END_HEADERS, stream, encoder.encode(headers("CountSolutions")))
                    block += frame(RST_STREAM, 0, stream, bytes((0, 0, 0, 8)))
                    stream += 2
                one.sendall(block)
                resets += 100
            continue
        ended += 1
    assert rose(server, before, "sudoku_inflight") <= 1
    began = rose(server, before, "grpc_server_started_total", grpc_method="CountSolutions")
    wait_until(lambda: rose(server, before, "grpc_server_handled_total", grpc_method="CountSolutions") == began)
    codes = Metrics(server).by("grpc_server_handled_total", "grpc_method", "grpc_code")
    codes = {code: int(count) for (method, code), count in codes.items() if method == "CountSolutions"}
    assert codes.keys() <= {"Canceled", "Unavailable", "OK"}, codes
    return f"{resets} resets, {ended} connections ended by the server, {began} calls began, by code {codes}"


def idle_connections(server, address, seconds, before):
    most, start = 800 if seconds < 10 else 10_000, resident_mib(server.process.pid)
    with connections(address, most + 200, HELLO):
        words = seen(server, before, "sudoku_refused_connections_total", 190)
        words += f"; {rose(server, before, 'sudoku_connections')} open"
        words += f", {(resident_mib(server.process.pid) - start) * 1024 / most:.1f} KiB each"
    took = wait_until(lambda: rose(server, before, "sudoku_connections") < 10)
    assert took is not None, "connections that were closed still count"
    with Client(address) as late:
        late.solves()
    return words


def no_descriptors(server, address, seconds, before):
    """The process may open no more files: it neither spins nor forgets to go on."""
    pid = server.process.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_files(pid) + 10, limits[1]))
    with connections(address, 50):
        share = busy_share(pid, min(seconds, 2))
        assert share < 0.2, f"{share:.0%} of a core"
    resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    with Client(address) as late:
        late.solves()
    return f"{seen(server, before, 'sudoku_failed_accepts_total', 1)}; {share:.1%} of a core while none can be accepted"


def flood(block, is_read):
    """Sends the same frames all the time; what comes back is thrown away, or not even read."""
    def attack(server, address, seconds, before):
        sent, deadline = 0, time.monotonic() + min(seconds, 5)
        with connect(address, 0.5) as one:
            one.sendall(HELLO)
            reader = threading.Thread(target=throw_away if is_read else time.sleep, args=[one if is_read else 0], daemon=True)
            reader.start()
            with contextlib.suppress(OSError):
                while time.monotonic() < deadline:
                    one.sendall(block)
                    sent += len(block)
            ended = wait_until(lambda: rose(server, before, "sudoku_connections") < 1, 2)
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            reader.join(CALL_SECONDS)
        assert ended is not None, f"{sent / (1 << 20):.1f} MiB were taken"
        return f"after {sent / (1 << 20):.1f} MiB the connection was ended"
    return attack


def throw_away(connection):
    with contextlib.suppress(OSError):
        while connection.recv(1 << 20):
            pass


def large_headers(server, address, seconds, before):
    with Client(address) as client:
        found = failure(lambda: client.sudoku.Solve(SOLVE, metadata=(("x-large", "x" * 20_000),), timeout=CALL_SECONDS))
    words = f"20 KB of metadata: grpcio sees {found.code} ({found.message})"
    sent = 0
    with connect(address) as one, contextlib.suppress(OSError):
        one.sendall(HELLO + frame(HEADERS, END_STREAM, 1, hpack.Encoder().encode(headers("Solve"))))
        for _ in range(10_000):
            one.sendall(frame(CONTINUATION, 0, 1, b"\x40\x01a\x7f\x81\x7e" + b"b" * 255 + b"\x40\x01a\x01b" * 100))
            sent += 1
    assert sent < 10_000, "continuations were taken for ever"
    return f"{words}; after {sent} continuations the connection was ended"


def wrong_protocols(server, address, seconds, before):
    host, port = address.rsplit(":", 1)
    for path in ("/", "/metrics"):
        one = http.client.HTTPConnection(host, int(port), timeout=CALL_SECONDS)
        one.request("GET", path)
        answer = one.getresponse()
        assert answer.status == 505 and b"gRPC" in answer.read()
        one.close()
    start = time.monotonic()
    with connect(address) as plain:
        try:
            ssl._create_unverified_context().wrap_socket(plain)  # noqa: S323 there is no certificate to verify
            raise AssertionError("it spoke TLS")
        except (ssl.SSLError, ConnectionError):
            pass
    with connect(address) as one:
        one.sendall(b"\0\1\2\3 what is this?")
        assert ended_by_server([one], CALL_SECONDS) == 1
    assert time.monotonic() - start < 5, "it was not hung up on at once"
    return seen(server, before, "sudoku_failed_handshakes_total", 4)


def plain_text_to_tls(server, address, seconds, before):
    start = time.monotonic()
    with connections(address, 20, HELLO) as found, connections(address, 20, b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n") as others:
        assert ended_by_server(found + others, CALL_SECONDS) == 40
    assert time.monotonic() - start < 5, "they were not hung up on at once"
    return seen(server, before, "sudoku_failed_handshakes_total", 40)


def stuck_readers(method, body, calls):
    """Answers that nobody reads."""
    def attack(server, address, seconds, before):
        with Peer(address, stream_window=0) as peer:
            for _ in range(calls):
                peer.begin(method, body=body)
            wait_until(lambda: rose(server, before, "grpc_server_started_total", grpc_method=method) == calls)
            time.sleep(min(seconds, 2))
            words = f"{calls} calls whose answers are not read: {rose(server, before, 'sudoku_inflight')} in flight"
        return words + "; " + seen(server, before, "grpc_server_handled_total", calls, grpc_method=method)
    return attack


def empty_data(server, address, seconds, before):
    """A request in frames without a byte."""
    with connect(address, 0.5) as one:
        one.sendall(HELLO + frame(HEADERS, END_HEADERS, 1, hpack.Encoder().encode(headers("StreamSolve"))))
        sent, deadline, ended = 0, time.monotonic() + min(seconds, 5), False
        try:
            while time.monotonic() < deadline:
                one.sendall(frame(DATA, 0, 1) * 1000)
                sent += 1000
        except OSError:
            ended = True
    assert ended, f"{sent} frames were taken"
    wait_until(lambda: rose(server, before, "sudoku_inflight") <= 1)
    counts = [rose(server, before, f"grpc_server_{name}_total", grpc_method="StreamSolve") for name in ("started", "handled")]
    assert counts[0] == counts[1], counts
    return f"after {sent} frames at most the connection was ended"
