"""What the checks of a sudoku-service binary share: starting and ending it, running commands, counting checks."""
import collections, contextlib, json, os, pathlib, queue, re, signal, subprocess, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFORMANCE = ROOT.parent / "shared/conformance/conformance.py"

SERVICE = "sudoku.v1.SudokuService"
METHODS = ["Solve", "Validate", "BatchSolve", "StreamSolve", "CountSolutions", "EnumerateSolutions"]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
START_SECONDS, CALL_SECONDS, SUITE_SECONDS, STOP_SECONDS = 15, 30, 600, 30


class Server:
    """The binary under test, by default on ports of its own choice; gone when the `with` block is left, however it is left."""

    def __init__(self, binary, *flags, listen="127.0.0.1:0", admin="127.0.0.1:0"):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SUDOKU_")}
        command = [binary, "--listen", listen, "--admin", admin, "--log-format", "json", *flags]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log = collections.deque(maxlen=20)
        self.lines = queue.SimpleQueue()
        self.admin = None
        threading.Thread(target=self.read_log, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def read_log(self):
        for line in self.process.stdout:
            self.log.append(line.rstrip())
            self.lines.put(line)
        self.lines.put(None)

    def address(self):
        """The address in the line that the server logs once it listens."""
        deadline = time.monotonic() + START_SECONDS
        while line := self.next_line(deadline):
            entry = json.loads(line) if line.startswith("{") else {}
            address = {**entry, **entry.get("fields", {})}.get("address")
            if address:
                self.admin = entry["admin"]
                return address
        raise RuntimeError("it ended, or ran out of time, before it listened")

    def next_line(self, deadline):
        """None once it has ended or `deadline` has passed."""
        with contextlib.suppress(queue.Empty):
            return self.lines.get(timeout=max(0.0, deadline - time.monotonic()))

    def stop(self):
        """Asks it to end, and gives its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=STOP_SECONDS)


class Tally:
    """Counts checks and prints each."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, body, *arguments):
        """Counts one check, passed if `body` raises nothing, and gives what that returned."""
        start, result = time.monotonic(), None
        try:
            result = body(*arguments)
        except Exception as error:
            self.failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
        else:
            self.passed += 1
            print(f"ok     {name} ({(time.monotonic() - start) * 1000:.0f} ms)", flush=True)
        return result

    def suite(self, name, *command):
        """Runs a program that closes with 'N passed, N failed', and takes over its counts."""
        start = time.monotonic()
        done = run(*command, seconds=SUITE_SECONDS)
        closing = re.findall(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
        passed, failed = map(int, closing[-1]) if closing else (0, 1)
        failed = failed or int(done.returncode != 0)
        self.passed, self.failed = self.passed + passed, self.failed + failed
        lines = done.stdout.splitlines()[:-1] + done.stderr.splitlines()
        print(*(f"       | {line[:400]}" for line in lines[-100:]), sep="\n")
        print(f"{'FAILED' if failed else 'ok    '} {name}: {passed} of {passed + failed} ({time.monotonic() - start:.1f} s)", flush=True)


def run(*command, seconds=CALL_SECONDS):
    """What became of a command; one that does not end in time is ended and has failed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=ROOT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"not done after {seconds} s")


def output(*command):
    """What a command prints that must succeed."""
    done = run(*command)
    assert done.returncode == 0, f"{command[0]} gave {done.returncode}: {done.stderr.strip() or done.stdout.strip()}"
    return done.stdout


def expect(want, got):
    """Everything in `want` must stand in `got`."""
    missing = {key: (value, got.get(key)) for key, value in want.items() if got.get(key) != value}
    assert not missing, f"(wanted, got): {missing}"
