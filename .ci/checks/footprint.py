"""What it costs to have it running: memory when idle, and the time to start."""
import time
from grpc_health.v1 import health_pb2
from checks.clients import Beside, milliseconds, percentile
from checks.process import busy_share, resident_mib
from checks.raw import Peer, message
from harness import Server

IDLE_MIB, START_SECONDS = 20, 0.100


def start(binary, long):
    """From exec to the first healthy answer."""
    times, sizes = [], []
    for _ in range(20 if long else 5):
        begun = time.monotonic()
        with Server(binary) as server, Peer(server.address()) as peer:
            ended = peer.outcome(peer.begin("Check", body=message(health_pb2.HealthCheckRequest()), service="grpc.health.v1.Health"))
            assert ended.code == 0, ended.found
            times.append(ended.at - begun)
            sizes.append(resident_mib(server.process.pid))
    assert percentile(times, 50) < START_SECONDS * (1 if long else 10), [milliseconds(took) for took in times]
    assert max(sizes) < IDLE_MIB * (1 if long else 1.5), f"{max(sizes):.1f} MiB"
    return (f"to the first healthy answer: median {milliseconds(percentile(times, 50))}, worst {milliseconds(max(times))}; "
            f"resident then: {max(sizes):.1f} MiB")


def idle(binary, long):
    """After some calls, when they are over."""
    with Server(binary) as server:
        with Beside(server.address(), pause=0.0) as client:
            time.sleep(0.5)
        calls = client.check()
        share = busy_share(server.process.pid, 2 if long else 0.5)
        size = resident_mib(server.process.pid)
    assert size < IDLE_MIB * (1 if long else 1.5), f"{size:.1f} MiB"
    assert share < 0.01 * (1 if long else 5), f"{share:.2%} of a core"
    return f"resident {size:.1f} MiB, {share:.2%} of a core; {calls}"


def check(arguments, tally):
    tally.check("start", start, arguments.binary, arguments.long)
    tally.check("idle", idle, arguments.binary, arguments.long)
