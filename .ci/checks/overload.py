"""Twice the load that the server can bear: what it accepts stays fast, the rest is refused at once."""
import os, random, threading, time
import grpc
from checks.clients import EMPTY, HOSTILE_BATCH, SOLVE, Beside, Client, Failed, messages, milliseconds, percentile, wait_until
from checks.process import Metrics, admin
from harness import CALL_SECONDS, Server

# Calls that take several milliseconds each, so that a client in Python can offer more than the server can do.
LIMIT = 30_000
# On one core that others use, too, no multiple of a figure from before is sure to hold; that nobody waits for ever is.
MOST_SECONDS = 5


class Offered:
    """Calls begun at random moments at a mean rate, whether or not earlier ones have ended: as callers from all over are."""

    def __init__(self, client, request, rate, seconds):
        self.accepted, self.refused, self.failed = [], [], []
        self.client, self.request = client, request
        self.open, self.lock = 0, threading.Lock()
        dice = random.Random(7)
        begun = at = time.monotonic()
        while at - begun < seconds:
            at += dice.expovariate(rate)
            time.sleep(max(0.0, at - time.monotonic()))
            self.begin()
        self.seconds = time.monotonic() - begun
        deadline = time.monotonic() + CALL_SECONDS
        while self.open and time.monotonic() < deadline:
            time.sleep(0.001)

    def begin(self):
        with self.lock:
            self.open += 1
        start = time.monotonic()
        call = self.client.sudoku.CountSolutions.future(self.request, timeout=CALL_SECONDS)
        call.add_done_callback(lambda call: self.end(call, time.monotonic() - start))

    def end(self, call, took):
        with self.lock:
            self.open -= 1
            if call.code() == grpc.StatusCode.OK:
                self.accepted.append(took)
            elif call.code() == grpc.StatusCode.UNAVAILABLE:
                self.refused.append((took, call))
            else:
                self.failed.append(call.code())

    def words(self):
        times = f"median {milliseconds(percentile(self.accepted, 50))}, p99 {milliseconds(percentile(self.accepted, 99))}"
        return f"{len(self.accepted) / self.seconds:.0f} a second accepted: {times}"


def capacity(client, request, seconds):
    """Calls a second with two in flight, which keep one core busy; now and then the second is refused."""
    ends, count, lock = time.monotonic() + seconds, 0, threading.Lock()

    def repeat():
        nonlocal count
        while time.monotonic() < ends:
            try:
                client.sudoku.CountSolutions(request, timeout=CALL_SECONDS)
            except grpc.RpcError:
                continue
            with lock:
                count += 1

    threads = [threading.Thread(target=repeat, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(CALL_SECONDS)
    return count / seconds


def both(server, address, long):
    seconds, words = (20 if long else 4), []
    request = messages.CountSolutionsRequest(grid=EMPTY, limit=LIMIT)
    with Client(address) as client:
        client.solves()
        rate = capacity(client, request, 3 if long else 1)
        half = Offered(client, request, rate / 2, seconds)
        words += [f"capacity {rate:.0f} a second", f"half of it offered: {half.words()}, {len(half.refused)} refused"]
        before = Metrics(server)
        with Beside(address, call=Client.serving) as health:
            twice = Offered(client, request, rate * 2, seconds)
        words += [f"twice: {twice.words()}, {len(twice.refused) / twice.seconds:.0f} a second refused"]
        start = time.monotonic()
        for _ in range(10):
            client.sudoku.CountSolutions(request, timeout=CALL_SECONDS)
        words.append(f"ten calls right after it, none refused: {milliseconds(time.monotonic() - start)}")
    check_refusals(twice, server, before, words, long)
    words.append("health: " + health.check())
    words.append(f"/readyz {admin(server, '/readyz')[0]}")
    if long:
        assert percentile(twice.accepted, 99) <= 3 * percentile(half.accepted, 99), "; ".join(words)
        assert len(twice.accepted) / twice.seconds > 0.8 * rate, "; ".join(words)
    assert percentile(twice.accepted, 99) < MOST_SECONDS, "; ".join(words)
    return "\n       ".join(words)


def check_refusals(offered, server, before, words, long):
    assert offered.refused and not offered.failed, f"{len(offered.refused)} refused, failed otherwise: {offered.failed[:3]}"
    found = [Failed(call) for _, call in offered.refused]
    assert {(f.reason, bool(f.pushback), bool(f.retry)) for f in found} == {("OVERLOADED", True, True)}, "without pushback"
    after = Metrics(server)
    shed = after.get("sudoku_shed_total") - before.get("sudoku_shed_total")
    assert shed == len(found), f"sudoku_shed_total rose by {shed}, {len(found)} were refused"
    waited = after.at_most("sudoku_queue_seconds", before, 0.99)
    times = [took for took, _ in offered.refused]
    words.append(f"refused after: median {milliseconds(percentile(times, 50))}, p99 {milliseconds(percentile(times, 99))}; "
                 f"accepted searches had waited: p99 at most {milliseconds(waited)}")
    assert percentile(times, 99) < (0.005 if long else MOST_SECONDS), "; ".join(words)


def light_beside_heavy(binary):
    """One caller with one hard batch, and what the calls of all others take meanwhile."""
    easy = messages.BatchSolveRequest(requests=[SOLVE] * 100)
    few = messages.EnumerateSolutionsRequest(grid=EMPTY, limit=10)
    stream = [messages.StreamSolveRequest(request=SOLVE)] * 100
    calls = {"Solve": lambda client: client.solves(), "BatchSolve": lambda client: client.sudoku.BatchSolve(easy, timeout=CALL_SECONDS),
             "EnumerateSolutions": lambda client: list(client.sudoku.EnumerateSolutions(few, timeout=CALL_SECONDS)),
             "StreamSolve": lambda client: list(client.sudoku.StreamSolve(iter(stream), timeout=CALL_SECONDS))}
    found, slow = [], False
    with Server(binary) as server, Client(address := server.address()) as heavy, Client(address) as client:
        client.solves()
        batch = heavy.sudoku.BatchSolve.future(HOSTILE_BATCH, timeout=3)
        wait_until(lambda: Metrics(server).get("sudoku_inflight") > 0)
        for name, call in calls.items():
            start = time.monotonic()
            try:
                call(client)
                code = "OK"
            except grpc.RpcError as error:
                code = error.code().name
            took = time.monotonic() - start
            found.append(f"{name} {code} after {milliseconds(took)}")
            slow |= code != "OK" or took > 1
        batch.cancel()
    assert not slow, "; ".join(found)
    return "; ".join(found)


def check(arguments, tally):
    tally.check("light calls beside one hard batch", light_beside_heavy, arguments.binary)
    cores = sorted(os.sched_getaffinity(0))
    # A process keeps to the cores of the thread that starts it: the server to one, the client to another.
    os.sched_setaffinity(0, cores[:1])
    try:
        with Server(arguments.binary, "--access-log", "off") as server:
            address = server.address()
            os.sched_setaffinity(0, cores[-1:])
            tally.check("twice the capacity", both, server, address, arguments.long)
    finally:
        os.sched_setaffinity(0, cores)
