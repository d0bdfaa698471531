"""A client of sudoku-service: solves one grid, or one grid for each line of standard input.

    pip install grpcio grpcio-status grpcio-tools
    python examples/clients/python/client.py 127.0.0.1:50051 solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    python examples/clients/python/client.py 127.0.0.1:50051 stream < puzzles.txt
"""
import argparse, collections, pathlib, sys, threading, time
import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "proto"))
messages, services = grpc.protos_and_services("sudoku/v1/sudoku.proto")

DEADLINE = 5.0  # seconds that one call may take
MOST_TRIES = 10  # to go on with a stream, with no answer in between
LONGEST_PAUSE = 5.0  # seconds between two of them
WINDOW = 256  # grids that are sent and not answered
OPTIONS = [
    ("grpc.service_config", (ROOT / "deploy/service-config.json").read_text()),  # retries, and all servers in turn
    ("grpc.keepalive_time_ms", 60_000),  # notices a server that went away without a word
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.initial_reconnect_backoff_ms", 200),  # a server that restarts is back soon
    ("grpc.max_reconnect_backoff_ms", int(LONGEST_PAUSE * 1000)),
]


def solve(sudoku, grid):
    answer = sudoku.Solve(messages.SolveRequest(grid=grid), timeout=DEADLINE)
    print(shown(answer))


def stream(sudoku):
    for number, answer in answers(sudoku, sys.stdin):
        if answer.HasField("error"):
            print(number, answer.error.reason, answer.error.message)
        else:
            print(number, shown(answer.response))


def shown(answer):
    name = messages.SolveStatus.Name(answer.status).removeprefix("SOLVE_STATUS_")
    return f"{name} {answer.solution}".rstrip()


def answers(sudoku, grids):
    """Yields (number, answer) for each grid, in order, on as many streams as it takes.

    What was sent and not answered is kept. When a server is about to end, it answers what it has read and ends the stream
    with UNAVAILABLE; the next stream then begins with the first grid that has no answer yet.
    """
    unanswered, count, tries = Unanswered(), 0, 0
    threading.Thread(target=unanswered.fill, args=[grids], daemon=True).start()
    while True:
        try:
            for sequence_number, answer in enumerate(sudoku.StreamSolve(iter(unanswered)), 1):
                request = unanswered.take()
                assert (answer.sequence_number, answer.id) == (sequence_number, request.id)
                count, tries = count + 1, 0
                yield count, answer
            return
        except grpc.RpcError as error:
            tries += 1
            if error.code() != grpc.StatusCode.UNAVAILABLE or tries > MOST_TRIES:
                raise
            pause = retry_delay(error) or min(0.1 * 2**tries, LONGEST_PAUSE)
            print(f"interrupted after {count} answers: {error.details()}; again in {pause} s", file=sys.stderr)
            time.sleep(pause)


class Unanswered:
    """The requests that have no answer yet. One stream after the other goes through them, and takes none away."""

    def __init__(self):
        self.requests, self.first, self.is_complete = collections.deque(), 1, False
        self.changed = threading.Condition()

    def fill(self, grids):
        """Adds a request for each grid, and waits while there are many."""
        for number, grid in enumerate(grids, 1):
            request = messages.StreamSolveRequest(id=str(number), request=messages.SolveRequest(grid=grid))
            with self.changed:
                self.changed.wait_for(lambda: len(self.requests) < WINDOW)
                self.requests.append(request)
                self.changed.notify_all()
        with self.changed:
            self.is_complete = True
            self.changed.notify_all()

    def take(self):
        """Takes the first one away: it has its answer."""
        with self.changed:
            self.first += 1
            self.changed.notify_all()
            return self.requests.popleft()

    def __iter__(self):
        """All from the first on, and those that will come; to be run through by another thread."""
        number = self.first
        while (request := self.wait_for(number)) is not None:
            yield request
            number += 1

    def wait_for(self, number):
        """The request with this number, or None if there will be none, or it has its answer from a later stream."""
        with self.changed:
            self.changed.wait_for(lambda: number < self.first + len(self.requests) or self.is_complete)
            place = number - self.first
            return self.requests[place] if 0 <= place < len(self.requests) else None


def details(error, kind):
    """The details of a failed call that are of this kind, as a message of google.rpc."""
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        if detail.Is(kind.DESCRIPTOR):
            message = kind()
            detail.Unpack(message)
            yield message


def retry_delay(error):
    return next((info.retry_delay.ToTimedelta().total_seconds() for info in details(error, error_details_pb2.RetryInfo)), None)


def explain(error):
    print(f"{error.code().name}: {error.details()}", file=sys.stderr)
    for info in details(error, error_details_pb2.ErrorInfo):
        print(f"  reason {info.reason}", *(f"{key}={value}" for key, value in sorted(info.metadata.items())), file=sys.stderr)
    for bad_request in details(error, error_details_pb2.BadRequest):
        for violation in bad_request.field_violations:
            print(f"  field {violation.field}: {violation.description}", file=sys.stderr)
    if (delay := retry_delay(error)) is not None:
        print(f"  try again in {delay} s", file=sys.stderr)


def channel(address, ca):
    if ca is None:
        return grpc.insecure_channel(address, options=OPTIONS)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(ca.read_bytes()), options=OPTIONS)


def main(arguments):
    with channel(arguments.address, arguments.ca) as opened:
        sudoku = services.SudokuServiceStub(opened)
        try:
            solve(sudoku, arguments.grid) if arguments.do == "solve" else stream(sudoku)
        except grpc.RpcError as error:
            explain(error)
            return 1
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Solves Sudoku by asking a running sudoku-service.")
    parser.add_argument("--ca", type=pathlib.Path, help="file of the authority of the server's certificate; turns TLS on")
    parser.add_argument("address", help="where the server is, as 127.0.0.1:50051 or dns:///sudoku.example.org:50051")
    todo = parser.add_subparsers(dest="do", required=True)
    todo.add_parser("solve", help="solve one grid").add_argument("grid")
    todo.add_parser("stream", help="solve a grid for each line of standard input")
    sys.exit(main(parser.parse_args()))
