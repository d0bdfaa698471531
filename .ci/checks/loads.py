"""Work of every kind, each at a steady pace, with every answer compared with what a search of its own found."""
import collections, contextlib, itertools, random, socket, subprocess, sys, threading, time
import grpc
from checks.clients import COUNT, EMPTY, ENUMERATE, Failed, failure, messages
from checks.puzzles import check_solved, pool
from checks.raw import PREFACE, SETTINGS, connect, frame
from harness import CALL_SECONDS, ROOT, SERVICE

POOL = pool(4, 320)
BATCH, STREAM_AHEAD = 200, 64
SETTLE_SECONDS, GONE_SECONDS = 6, 2  # before an instance ends, and before it starts again
MALFORMED = [
    ("5" * 1025, "GRID_TOO_LONG"), ("#" * 81, "GRID_CHARACTER"), ("-1" + "." * 79, "GRID_CHARACTER"),
    ("." * 80, "GRID_CELL_COUNT"), ("", "GRID_CELL_COUNT")]

# A client that keeps a stream and a long call open until it is killed.
KILLED = """
import sys, time, grpc
sys.path.append("proto")
messages, services = grpc.protos_and_services("sudoku/v1/sudoku.proto")
sudoku = services.SudokuServiceStub(grpc.insecure_channel(sys.argv[1]))

def requests():
    while True:
        yield messages.StreamSolveRequest(request=messages.SolveRequest(grid="." * 81))
        time.sleep(0.001)

long = sudoku.CountSolutions.future(messages.CountSolutionsRequest(grid="." * 81, limit=1_000_000))
for number, answer in enumerate(sudoku.StreamSolve(requests())):
    if number == 100:
        print("open", flush=True)
"""


class Load:
    """One kind of work at a steady pace, in a thread of its own, until it is told to end."""

    def __init__(self, name, a_second, body):
        self.name, self.a_second, self.body = name, a_second, body
        self.chance = random.Random(name)
        self.done = self.refused = 0
        self.faults = []
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        due = time.monotonic()
        while not self.ending.wait(max(0.0, due - time.monotonic())):
            # What is late is not made up for, or a pause would end in an overload.
            due = max(due + 1 / self.a_second, time.monotonic())
            try:
                self.done += self.body(self) or 1
            except grpc.RpcError as error:
                failed = Failed(error)
                if failed.reason == "OVERLOADED":
                    self.refused += 1
                else:
                    self.faults.append(f"lost: {failed.code} {failed.reason or failed.message}")
            except Exception as error:
                self.faults.append(f"{type(error).__name__}: {error}")

    def puzzle(self):
        return self.chance.choice(POOL).renamed(self.chance.sample("123456789", 9))

    def had_no_fault(self):
        assert not self.thread.is_alive(), "it hangs"
        assert self.done, "it did nothing"
        assert not self.faults, f"{len(self.faults)} of {self.done}: {collections.Counter(fault[:300] for fault in self.faults).most_common(5)}"
        # The machine has other work, and what an instance cannot do it refuses at once.
        assert self.refused <= self.done / 20, f"{self.refused} beside {self.done} were refused"


def unary(sudoku):
    """A few calls at a time."""
    def body(load):
        calls = []
        for _ in range(8):
            puzzle, skip = load.puzzle(), load.chance.random() < 0.2
            request = messages.SolveRequest(grid=puzzle.grid, skip_uniqueness_check=skip)
            calls.append((puzzle, skip, sudoku.Solve.future(request, timeout=CALL_SECONDS)))
        for puzzle, skip, call in calls:
            check_solved(puzzle, call.result(), skip)
        return len(calls)
    return body


def validate(sudoku):
    def body(load):
        puzzle = load.puzzle()
        answer = sudoku.Validate(messages.ValidateRequest(grid=puzzle.grid, puzzle=puzzle.grid), timeout=CALL_SECONDS)
        number = "NONE" if not puzzle.solutions else "UNIQUE" if len(puzzle.solutions) == 1 else "MULTIPLE"
        assert messages.Uniqueness.Name(answer.uniqueness) == f"UNIQUENESS_{number}", f"{puzzle.grid}: {answer}"
        assert len(answer.conflicts) == puzzle.clashes and answer.normalized_grid == puzzle.grid, answer
        assert not answer.changed_givens and not answer.wrong_cells, answer
    return body


def batch(sudoku, size=BATCH):
    def body(load):
        chosen = [load.puzzle() for _ in range(size)]
        requests = [messages.SolveRequest(grid=puzzle.grid) for puzzle in chosen]
        wrong = load.chance.randrange(size)
        requests[wrong].grid = "#"
        results = sudoku.BatchSolve(messages.BatchSolveRequest(requests=requests), timeout=CALL_SECONDS).results
        assert len(results) == size, len(results)
        for place, (puzzle, result) in enumerate(zip(chosen, results)):
            if place == wrong:
                assert result.error.reason == "GRID_CHARACTER", result
            else:
                check_solved(puzzle, result.response)
        return size
    return body


def stream(sudoku):
    """A stream with some requests ahead of their answers."""
    def body(load):
        chosen = [load.puzzle() for _ in range(load.chance.randrange(1, 600))]
        ahead = threading.Semaphore(STREAM_AHEAD)

        def requests():
            for number, puzzle in enumerate(chosen):
                ahead.acquire(timeout=CALL_SECONDS)
                yield messages.StreamSolveRequest(id=str(number), request=messages.SolveRequest(grid=puzzle.grid))

        answers = 0
        for answer in sudoku.StreamSolve(requests(), timeout=CALL_SECONDS):
            ahead.release()
            assert (answer.id, answer.sequence_number) == (str(answers), answers + 1), answer
            check_solved(chosen[answers], answer.response)
            answers += 1
        assert answers == len(chosen), f"{answers} of {len(chosen)}"
        return answers
    return body


def enumeration(sudoku):
    def body(load):
        puzzle, limit = load.puzzle(), load.chance.choice([0, 1, 2, 10, 1000])
        parts = list(sudoku.EnumerateSolutions(messages.EnumerateSolutionsRequest(grid=puzzle.grid, limit=limit), timeout=CALL_SECONDS))
        listed = [solution for part in parts for solution in part.solutions]
        assert listed == puzzle.solutions[:limit or 1000], f"{puzzle.grid}: {listed}"
        assert parts[-1].exhaustive == (len(listed) == len(puzzle.solutions)), f"{puzzle.grid}, {limit}: {len(listed)}"
    return body


def count(sudoku):
    def body(load):
        puzzle, limit = load.puzzle(), load.chance.choice([0, 1, 2, 10, 1000])
        answer = sudoku.CountSolutions(messages.CountSolutionsRequest(grid=puzzle.grid, limit=limit), timeout=CALL_SECONDS)
        want = min(len(puzzle.solutions), limit or 1000), len(puzzle.solutions) <= (limit or 1000)
        assert (answer.solution_count, answer.exact) == want, f"{puzzle.grid}, {limit}: {answer}"
    return body


def malformed(client, address):
    """Texts that are no grids, bytes that are no message, and bytes that are no HTTP/2."""
    raw = client.channel.unary_unary(f"/{SERVICE}/Solve")

    def body(load):
        grid, reason = load.chance.choice(MALFORMED)
        failed = failure(lambda: client.sudoku.Solve(messages.SolveRequest(grid=grid), timeout=CALL_SECONDS))
        assert (failed.code, failed.reason) == ("INVALID_ARGUMENT", reason), (failed.code, failed.reason)
        failed = failure(lambda: raw(b"\x0a\x05" + load.chance.randbytes(4), timeout=CALL_SECONDS))
        assert (failed.code, failed.reason) == ("INTERNAL", "MESSAGE_MALFORMED"), (failed.code, failed.reason)
        begin = load.chance.choice([b"", PREFACE[:10], PREFACE + frame(SETTINGS, 0, 0), b"GET / HTTP/1.1\r\n\r\n"])
        # Where the server closes first, there is nothing left to tell it.
        with connect(address) as connection, contextlib.suppress(OSError):
            connection.sendall(begin + load.chance.randbytes(200))
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass
        return 3
    return body


def cancelled(sudoku):
    """Calls that are taken back at any time."""
    def body(load):
        pause = load.chance.random() / 20
        call = sudoku.CountSolutions.future(COUNT, timeout=CALL_SECONDS)
        time.sleep(pause)
        call.cancel()
        listing = sudoku.EnumerateSolutions(ENUMERATE, timeout=CALL_SECONDS)
        first = next(listing)
        listing.cancel()
        assert len(first.solutions) == 100 and not first.exhaustive, first
        request = messages.StreamSolveRequest(request=messages.SolveRequest(grid=EMPTY))
        streaming = sudoku.StreamSolve(itertools.repeat(request), timeout=CALL_SECONDS)
        for answer in itertools.islice(streaming, 50):
            assert answer.response.alternative_solution > answer.response.solution, answer
        streaming.cancel()
        return 3
    return body


def killed(address):
    """A client that is killed in the middle of its calls."""
    def body(_):
        client = subprocess.Popen([sys.executable, "-c", KILLED, address], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            line = client.stdout.readline()
        finally:
            client.kill()
            _, errors = client.communicate()
        assert line == "open\n", errors[-500:]
    return body


def restart(instances):
    turns = itertools.cycle(instances)

    def body(load):
        instance = next(turns)
        load.ending.wait(SETTLE_SECONDS)
        instance.stop()
        time.sleep(GONE_SECONDS)
        instance.start()
    return body
