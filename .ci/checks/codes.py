"""Every row of the table of errors, as grpcio and a raw peer see it, on unary calls and on streams."""
import contextlib, os, threading, time
import grpc
from checks.clients import COUNT, EMPTY, ENUMERATE, HOSTILE, HOSTILE_BATCH, SOLVE, Client, calls_in_background, failure, messages
from checks.raw import Peer, message
from harness import CALL_SECONDS, SERVICE, Server

MESSAGE_LIMIT = 64 * 1024
WITH_GRID = {"Solve": messages.SolveRequest, "Validate": messages.ValidateRequest, "CountSolutions": messages.CountSolutionsRequest,
             "EnumerateSolutions": messages.EnumerateSolutionsRequest}
BAD_GRIDS = [
    ("." * 1025, "GRID_TOO_LONG", {"length": "1025"}, 1),
    ("." * 80 + "#", "GRID_CHARACTER", {"position": "81", "character": "#"}, 1),
    ("-1" + "." * 80, "GRID_CHARACTER", {"position": "2", "character": "1"}, 1),
    ("#" * 81, "GRID_CHARACTER", {"position": "1", "character": "#"}, 10),
    ("." * 80, "GRID_CELL_COUNT", {"cell_count": "80"}, 1),
    ("", "GRID_CELL_COUNT", {"cell_count": "0"}, 1),
]


def expect_failure(found, code, reason, metadata=None, fields=()):
    """An error as the contract words it: details, and below 4 KiB."""
    got = (found.code, found.reason, found.domain, found.metadata, found.fields)
    want = (code, reason, "sudoku.v1", metadata or {}, list(fields))
    assert got == want, f"wanted {want}, got {got}: {found.message}"
    assert found.size < 4096, f"{found.size} bytes of details"


def call(client, method):
    """The method of the stub; on streams too it takes one request."""
    stub = getattr(client.sudoku, method)
    return (lambda request, **options: stub(iter([request]), **options)) if method == "StreamSolve" else stub


def malformed_grids(address):
    with Client(address) as client:
        for method, kind in WITH_GRID.items():
            for grid, reason, metadata, violations in BAD_GRIDS:
                found = failure(lambda: call(client, method)(kind(grid=grid), timeout=CALL_SECONDS))
                expect_failure(found, "INVALID_ARGUMENT", reason, metadata, ["grid"] * violations)
                assert len(grid) < 80 or grid not in found.message, "the grid is echoed"
        both = messages.ValidateRequest(grid="#" * 81, puzzle="." * 80)
        found = failure(lambda: client.sudoku.Validate(both, timeout=CALL_SECONDS))
        assert found.code == "INVALID_ARGUMENT" and len(found.fields) == 10, found.fields
        both = messages.ValidateRequest(grid="." * 82, puzzle="." * 80)
        found = failure(lambda: client.sudoku.Validate(both, timeout=CALL_SECONDS))
        expect_failure(found, "INVALID_ARGUMENT", "GRID_CELL_COUNT", {"cell_count": "82"}, ["grid", "puzzle"])


def out_of_range(address):
    limits = {"field": "limit", "minimum": "1", "maximum": "1000000"}
    requests = {"field": "requests", "minimum": "1", "maximum": "1000"}
    with Client(address) as client:
        for method in ("CountSolutions", "EnumerateSolutions"):
            for limit in (-1, 1_000_001):
                request = WITH_GRID[method](grid=EMPTY, limit=limit)
                found = failure(lambda: call(client, method)(request, timeout=CALL_SECONDS))
                expect_failure(found, "INVALID_ARGUMENT", "FIELD_OUT_OF_RANGE", limits, ["limit"])
        for count in (0, 1001):
            request = messages.BatchSolveRequest(requests=[messages.SolveRequest()] * count)
            found = failure(lambda: client.sudoku.BatchSolve(request, timeout=CALL_SECONDS))
            expect_failure(found, "INVALID_ARGUMENT", "FIELD_OUT_OF_RANGE", requests, ["requests"])


def bad_items(address):
    """A bad item of a batch or a stream fails alone."""
    item = messages.StreamSolveRequest
    stream = [item(request=SOLVE), item(request=messages.SolveRequest(grid="?")), item(id="no request"), item(id="i" * 65, request=SOLVE),
              item(request=SOLVE)]
    with Client(address) as client:
        batch = client.sudoku.BatchSolve(messages.BatchSolveRequest(requests=[SOLVE, messages.SolveRequest(grid="?"), SOLVE]), timeout=CALL_SECONDS)
        found = [(r.error.code, r.error.reason, r.error.field) for r in batch.results]
        assert found == [(0, "", ""), (3, "GRID_CELL_COUNT", "grid"), (0, "", "")], found
        found = [(r.error.code, r.error.reason, r.error.field) for r in client.sudoku.StreamSolve(iter(stream), timeout=CALL_SECONDS)]
        assert found == [(0, "", ""), (3, "GRID_CELL_COUNT", "request.grid"), (3, "FIELD_MISSING", "request"),
                         (3, "FIELD_OUT_OF_RANGE", "id"), (0, "", "")], found


def bad_bytes(address):
    """What is no message, not UTF-8 or too large, on every kind of method."""
    item = messages.StreamSolveRequest(request=SOLVE).SerializeToString()
    too_large = bytes(MESSAGE_LIMIT + 1)
    with Client(address) as client:
        for data, code, reason, metadata in [(b"\xff\xff\xff", "INTERNAL", "MESSAGE_MALFORMED", {}),
                                             (b"\x0a\x02\xff\xfe", "INTERNAL", "MESSAGE_MALFORMED", {}),
                                             (too_large, "RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE", {"limit": str(MESSAGE_LIMIT)})]:
            for method in ("Solve", "Validate", "BatchSolve", "CountSolutions"):
                unary = client.channel.unary_unary(f"/{SERVICE}/{method}")
                expect_failure(failure(lambda: unary(data, timeout=CALL_SECONDS)), code, reason, metadata)
            stream = client.channel.unary_stream(f"/{SERVICE}/EnumerateSolutions")
            expect_failure(failure(lambda: stream(data, timeout=CALL_SECONDS)), code, reason, metadata)
            both = client.channel.stream_stream(f"/{SERVICE}/StreamSolve")
            answers = both(iter([item, item, data]), timeout=CALL_SECONDS)
            assert next(answers) and next(answers), "what came before it is answered"
            expect_failure(failure(lambda: answers), code, reason, metadata)
        client.solves()


def unknown_methods(address):
    with Client(address) as client:
        for path in (f"/{SERVICE}/Resolve", "/sudoku.v2.SudokuService/Solve"):
            for stub in (client.channel.unary_unary, client.channel.unary_stream):
                found = failure(lambda: stub(path)(b"", timeout=CALL_SECONDS))
                assert found.code == "UNIMPLEMENTED", f"{path}: {found.code}"
            found = failure(lambda: client.channel.stream_stream(path)(iter([b""]), timeout=CALL_SECONDS))
            assert found.code == "UNIMPLEMENTED", f"{path}: {found.code}"


def deadlines(address):
    """The server tells of a deadline in its own words where the client's own clock does not come first."""
    asked = {"metadata": (("grpc-timeout", "60m"),)}
    with Client(address) as client:
        for method, request in [("CountSolutions", COUNT), ("EnumerateSolutions", ENUMERATE), ("BatchSolve", HOSTILE_BATCH)]:
            expect_failure(once_there_is_room(lambda: call(client, method)(request, **asked)), "DEADLINE_EXCEEDED", "DEADLINE")
        # Streams of puzzles end so only if asked, with puzzles or without.
        item = messages.StreamSolveRequest
        for requests in ([], [item(request=SOLVE)], [item(request=messages.SolveRequest(grid=HOSTILE))] * 1000):
            open_end = threading.Event()
            stream = client.sudoku.StreamSolve(forever(requests, open_end), **asked)
            expect_failure(failure(lambda: stream), "DEADLINE_EXCEEDED", "DEADLINE")
            open_end.set()
        # A batch that takes minutes ends by --deadline if its caller sets none, and by --max-deadline whatever he sets.
        for asked in ({}, {"metadata": (("grpc-timeout", "1H"),)}):
            expect_failure(once_there_is_room(lambda: client.sudoku.BatchSolve(HOSTILE_BATCH, **asked)), "DEADLINE_EXCEEDED", "DEADLINE")
        # The client's own clock comes first, or at the same time.
        for method, request in [("CountSolutions", COUNT), ("EnumerateSolutions", ENUMERATE)]:
            found = once_there_is_room(lambda: call(client, method)(request, timeout=0.06))
            assert found.code == "DEADLINE_EXCEEDED", f"{method}: {found.code}"


def once_there_is_room(attempt):
    """The failure of a call that may be refused a few times: on a busy machine the search before it takes a while to stop."""
    for _ in range(20):
        found = failure(attempt)
        if found.code != "UNAVAILABLE":
            break
        time.sleep(0.05)
    return found


def forever(requests, end):
    yield from requests
    end.wait(CALL_SECONDS)


def passed_deadlines(address):
    """A call that comes too late is not begun, and the answer is all headers."""
    with Peer(address) as peer:
        for timeout, code, reason in [("0n", 4, "DEADLINE"), ("1n", 4, "DEADLINE"), ("1s", 13, "MESSAGE_MALFORMED"), ("", 13, "MESSAGE_MALFORMED")]:
            for method in ("CountSolutions", "EnumerateSolutions", "StreamSolve"):
                ended = peer.outcome(peer.begin(method, ("grpc-timeout", timeout), body=message(COUNT)))
                got = (ended.code, ended.reason, ended.trailers_only)
                assert got == (code, reason, True), f"{method}, {timeout!r}: {got}"


def odd_requests(address):
    """No message at all, two where one is meant, one that is cut off, and compressed ones."""
    with Peer(address) as peer:
        for name, body in [("no message", b""), ("half a message", message(SOLVE)[:-3])]:
            ended = peer.outcome(peer.begin("Solve", body=body))
            assert (ended.code, ended.reason) == (13, "MESSAGE_MALFORMED"), f"{name}: {ended.code} {ended.reason}"
        ended = peer.outcome(peer.begin("Solve", ("grpc-encoding", "gzip"), body=b"\1" + message(SOLVE)[1:]))
        assert ended.code == 12, f"compressed: {ended.code}"
    with Client(address) as client:
        found = failure(lambda: client.sudoku.Solve(SOLVE, compression=grpc.Compression.Gzip, timeout=CALL_SECONDS))
        assert found.code == "UNIMPLEMENTED", f"compressed by grpcio: {found.code}"


def overloaded(address):
    """With more work than it can do, long searches are refused and all else is answered."""
    requests = {"Solve": messages.SolveRequest(grid=HOSTILE), "Validate": messages.ValidateRequest(grid=HOSTILE), "CountSolutions": COUNT}
    with Client(address) as client, Client(address) as busy, Peer(address) as peer:
        with calls_in_background(8 * os.cpu_count(), lambda: busy.sudoku.CountSolutions(COUNT, timeout=CALL_SECONDS)):
            for method, request in requests.items():
                found = refused(lambda: call(client, method)(request, timeout=1))
                expect_failure(found, "UNAVAILABLE", "OVERLOADED")
                assert found.retry and found.retry.retry_delay.ToMilliseconds() == int(found.pushback), f"{found.retry}, {found.pushback}"
                ended = outcome_of_refusal(peer, method, request)
                assert ended.trailers_only and ended.pushback, f"{method}: {ended.found}"
            client.solves()
            client.serving()
            many = messages.BatchSolveRequest(requests=[SOLVE] * 1000)
            assert len(client.sudoku.BatchSolve(many, timeout=CALL_SECONDS).results) == 1000
            assert client.sudoku.EnumerateSolutions(messages.EnumerateSolutionsRequest(grid=EMPTY), timeout=CALL_SECONDS).next().solutions


def refused(attempt):
    """The first refusal: now and then a call finds a place."""
    for _ in range(200):
        with contextlib.suppress(AssertionError):
            found = failure(attempt)
            if found.code == "UNAVAILABLE":
                return found
    raise AssertionError("it was never refused")


def outcome_of_refusal(peer, method, request):
    for _ in range(200):
        ended = peer.outcome(peer.begin(method, ("grpc-timeout", "1S"), body=message(request)))
        if ended.code == 14:
            return ended
    raise AssertionError("it was never refused")


def long_batches(address):
    """Many hard batches: those that are too many are refused, a stream waits and is answered."""
    with Client(address) as client, Client(address) as busy:
        with calls_in_background(8 * os.cpu_count(), lambda: busy.sudoku.BatchSolve(HOSTILE_BATCH, timeout=2)):
            for method, request in [("BatchSolve", HOSTILE_BATCH), ("EnumerateSolutions", ENUMERATE)]:
                expect_failure(refused(lambda: call(client, method)(request, timeout=1)), "UNAVAILABLE", "OVERLOADED")
            client.solves()
            start = time.monotonic()
            answers = list(client.sudoku.StreamSolve(iter([messages.StreamSolveRequest(request=SOLVE)] * 100), timeout=CALL_SECONDS))
            assert len(answers) == 100, len(answers)
        return f"a stream of 100 puzzles beside them took {time.monotonic() - start:.2f} s"


def check(arguments, tally):
    binary = arguments.binary
    with Server(binary, "--max-message-size", "64KiB") as server:
        address = server.address()
        tally.check("malformed grids, by method", malformed_grids, address)
        tally.check("fields out of range", out_of_range, address)
        tally.check("bad items fail alone", bad_items, address)
        tally.check("bytes that are no message, messages too large", bad_bytes, address)
        tally.check("unknown methods", unknown_methods, address)
        tally.check("deadlines that have passed, or are none", passed_deadlines, address)
        tally.check("odd requests", odd_requests, address)
    with Server(binary, "--deadline", "200ms", "--max-deadline", "300ms", "--engine", "portable") as server:
        tally.check("deadlines, the caller's and the server's", deadlines, server.address())
    with Server(binary, "--access-log", "off", "--engine", "portable") as server:
        address = server.address()
        tally.check("overload", overloaded, address)
        tally.check("overload of batches", long_batches, address)
