"""Peers that no gRPC library would be: HTTP/2 by hand, as slow, as silent or as rude as wanted."""
import base64, collections, contextlib, socket, struct, time
import google.rpc.error_details_pb2 as details
import h2.config, h2.connection, h2.events, h2.exceptions, h2.settings
from google.rpc.status_pb2 import Status
from harness import CALL_SECONDS, SERVICE

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
LARGE_WINDOW = 1 << 24
GoAway = collections.namedtuple("GoAway", ["last_stream", "error_code"])


def frame(kind, flags, stream, payload=b""):
    """The bytes of one HTTP/2 frame."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def connect(address, seconds=CALL_SECONDS):
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=seconds)


def message(bytes_or_proto):
    """A gRPC message with its prefix."""
    data = bytes_or_proto if isinstance(bytes_or_proto, bytes) else bytes_or_proto.SerializeToString()
    return struct.pack(">BI", 0, len(data)) + data


def headers(method, *more, service=SERVICE):
    return [(":method", "POST"), (":scheme", "http"), (":path", f"/{service}/{method}"), (":authority", "localhost"),
            ("content-type", "application/grpc"), ("te", "trailers"), *more]


class Peer:
    """One HTTP/2 connection; what comes is kept in order in `events`, each with its time."""

    def __init__(self, address, stream_window=65535, wrap=lambda connection: connection):
        self.socket = wrap(connect(address))
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        window = {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: stream_window}
        self.http.local_settings = h2.settings.Settings(client=True, initial_values=window)
        self.http.initiate_connection()
        # What all streams may get together must not be what holds one back.
        self.http.increment_flow_control_window(LARGE_WINDOW)
        self.events, self.unread, self.ended = [], b"", False
        self.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.close()

    def flush(self):
        self.socket.sendall(self.http.data_to_send())

    def begin(self, method, *more, body=b"", end=True, service=SERVICE):
        """Begins a call and gives the number of its stream."""
        stream = self.http.get_next_available_stream_id()
        self.http.send_headers(stream, headers(method, *more, service=service), end_stream=end and not body)
        if body:
            self.send(stream, body, end)
        self.flush()
        return stream

    def send(self, stream, body, end=False):
        """Sends as windows allow, until the call has ended; it reads only to get them opened."""
        ends = (h2.events.StreamEnded, h2.events.StreamReset)
        while body and not any(isinstance(event, ends) and event.stream_id == stream for _, event in self.events):
            room = min(self.http.local_flow_control_window(stream), self.http.max_outbound_frame_size)
            if not room:
                self.flush()
                self.read(time.monotonic() + CALL_SECONDS)
                continue
            part, body = body[:room], body[room:]
            self.http.send_data(stream, part, end_stream=end and not body)
        self.flush()

    def read(self, deadline, acknowledge=True):
        """Takes in what comes next; False once nothing more can come or `deadline` has passed."""
        self.socket.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        if not data:
            self.ended = True
            return False
        self.unread += data
        found = []
        while len(self.unread) >= 9 and len(self.unread) >= (end := 9 + int.from_bytes(self.unread[:3], "big")):
            one, self.unread = self.unread[:end], self.unread[end:]
            # The library would take nothing after it, and what is open goes on.
            found += [GoAway(*struct.unpack(">II", one[9:17]))] if one[3] == GOAWAY else self.http.receive_data(one)
        now = time.monotonic()
        for event in found:
            self.events.append((now, event))
            if isinstance(event, h2.events.DataReceived) and acknowledge:
                with contextlib.suppress(h2.exceptions.ProtocolError):
                    self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        with contextlib.suppress(OSError):
            self.flush()
        return True

    def until(self, kind, stream=None, seconds=CALL_SECONDS):
        """(time, event) of the first event of a kind, on a stream if one is named."""
        seen, deadline = 0, time.monotonic() + seconds
        while True:
            for at, event in self.events[seen:]:
                if isinstance(event, kind) and stream in (None, getattr(event, "stream_id", None)):
                    return at, event
            seen = len(self.events)
            if not self.read(deadline) and seen == len(self.events):
                raise AssertionError(f"no {kind} came, only {[type(event).__name__ for _, event in self.events]}")

    def outcome(self, stream, seconds=CALL_SECONDS):
        """How a call ended."""
        at, _ = self.until((h2.events.StreamEnded, h2.events.StreamReset), stream, seconds)
        return Outcome(at, [event for _, event in self.events if getattr(event, "stream_id", None) == stream])


class Outcome:
    """A call's status and details, and whether it was told in one header frame and nothing else."""

    def __init__(self, at, events):
        self.at = at
        self.found = {}
        for event in events:
            if isinstance(event, (h2.events.ResponseReceived, h2.events.TrailersReceived)):
                self.found |= dict(event.headers)
        self.reset = next((e.error_code for e in events if isinstance(e, h2.events.StreamReset)), None)
        self.http_status = self.found.get(":status")
        self.code = int(self.found["grpc-status"]) if "grpc-status" in self.found else None
        begun = [event for event in events if isinstance(event, h2.events.ResponseReceived)]
        self.trailers_only = bool(begun) and begun[0].stream_ended is not None
        self.pushback = self.found.get("grpc-retry-pushback-ms")
        self.reason = self.read_reason(self.found.get("grpc-status-details-bin", ""))

    @staticmethod
    def read_reason(text):
        status = Status.FromString(base64.b64decode(text + "=" * (-len(text) % 4)))
        for detail in status.details:
            info = details.ErrorInfo()
            if detail.Unpack(info):
                return info.reason
        return None
