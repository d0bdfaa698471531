"""Certificates are swapped under load as Kubernetes does it, by a turned link, and no call is lost."""
import contextlib, datetime, ipaddress, json, os, pathlib, ssl, tempfile, time
import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from checks.clients import SOLVE, Beside, Client, failure, wait_until
from checks.process import Metrics
from checks.raw import connect
from harness import CALL_SECONDS, Server

SWAP_SECONDS = 15


class Authority:
    """A certificate authority for one run."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        self.certificate = self.signed(self.name, self.key, 3650, [x509.BasicConstraints(ca=True, path_length=None)])

    def signed(self, name, key, days, extensions):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        builder = x509.CertificateBuilder(self.name, name, key.public_key(), x509.random_serial_number(),
                                          now - datetime.timedelta(days=1), now + datetime.timedelta(days=days))
        for extension in extensions:
            builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        return builder.sign(self.key, hashes.SHA256())

    def pair(self, names, days):
        """(certificate, PEM of it, PEM of its key)"""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "leaf")])
        certificate = self.signed(subject, key, days, [x509.SubjectAlternativeName(names)])
        return certificate, pem(certificate), key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())

    def server_pair(self, days):
        return self.pair([x509.DNSName("localhost")], days)


def written(folder):
    """Writes ca.crt, tls.crt and tls.key for 127.0.0.1, which serve both sides, and gives the certificate."""
    authority = Authority()
    certificate, cert, key = authority.pair([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))], 2)
    for name, content in {"ca.crt": pem(authority.certificate), "tls.crt": cert, "tls.key": key}.items():
        (pathlib.Path(folder) / name).write_bytes(content)
    return certificate


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


class Mounted:
    """A folder as Kubernetes mounts a secret: files behind a link that is turned to a new folder in one step."""

    def __init__(self, folder):
        self.folder, self.version = pathlib.Path(folder), 0
        self.cert, self.key = self.folder / "tls.crt", self.folder / "tls.key"
        for file in (self.cert, self.key):
            file.symlink_to(f"..data/{file.name}")

    def swap(self, cert, key):
        self.version += 1
        new = self.folder / f"..{self.version}"
        new.mkdir()
        (new / "tls.crt").write_bytes(cert)
        (new / "tls.key").write_bytes(key)
        (self.folder / "..new").symlink_to(new.name)
        os.replace(self.folder / "..new", self.folder / "..data")


def shown(address, authority):
    """The serial number of the certificate that a new connection is shown."""
    context = ssl.create_default_context(cadata=pem(authority.certificate).decode())
    context.set_alpn_protocols(["h2"])
    with connect(address) as plain, context.wrap_socket(plain, server_hostname="localhost") as secure:
        assert secure.selected_alpn_protocol() == "h2", secure.selected_alpn_protocol()
        return x509.load_der_x509_certificate(secure.getpeercert(binary_form=True)).serial_number


def credentials(authority, cert=None, key=None):
    return grpc.ssl_channel_credentials(pem(authority.certificate), key, cert)


AS_LOCALHOST = ("grpc.ssl_target_name_override", "localhost")


def connect_anew(address, authority):
    """A call on a new connection; `Beside` makes it again and again."""
    def call(_client):
        with Client(address, AS_LOCALHOST, credentials=credentials(authority)) as client:
            client.solves()
    return call


def expiry(server):
    return Metrics(server).get("sudoku_tls_cert_expiry_seconds")


def swapped(server, address, authority, mounted):
    with contextlib.ExitStack() as stack:
        secure = {"credentials": credentials(authority)}
        clients = [stack.enter_context(beside) for beside in (
            Localhost(address, 0.002, **secure), Localhost(address, 0.05, connect_anew(address, authority), **secure))]
        certificate, cert, key = authority.server_pair(20)
        assert shown(address, authority) != certificate.serial_number
        mounted.swap(cert, key)
        took = wait_until(lambda: shown(address, authority) == certificate.serial_number, SWAP_SECONDS, 0.05)
        assert took is not None, f"after {SWAP_SECONDS} s it is still the old one"
        wait_until(lambda: expiry(server) == certificate.not_valid_after_utc.timestamp(), SWAP_SECONDS)
        assert expiry(server) == certificate.not_valid_after_utc.timestamp(), expiry(server)
        time.sleep(0.3)
    open_connection, new_connections = clients
    return f"shown after {took:.1f} s; open connection: {open_connection.check()}\n       new connections: {new_connections.check()}"


class Localhost(Beside):
    def __init__(self, address, pause, call=Client.solves, **options):
        super().__init__(address, pause, call)
        self.client.channel.close()
        self.client = Client(address, AS_LOCALHOST, **options)


def broken(server, address, authority, mounted):
    """Files that cannot be used change nothing, and the log says why."""
    kept, until, words = shown(address, authority), expiry(server), []
    other = authority.server_pair(5)
    for name, files, why in [("no certificate", (b"nonsense", other[2]), "--tls-cert"),
                             ("not its key", (other[1], authority.server_pair(5)[2]), "--tls-key")]:
        mounted.swap(*files)
        deadline = time.monotonic() + SWAP_SECONDS
        while line := server.next_line(deadline):
            if "stay in use" in line:
                break
        assert line and why in line, f"{name}: no line says so"
        words.append(json.loads(line)["error"].replace(str(mounted.folder), ""))
        assert shown(address, authority) == kept and expiry(server) == until, name
    certificate, cert, key = authority.server_pair(5)
    mounted.swap(cert, key)
    took = wait_until(lambda: shown(address, authority) == certificate.serial_number, SWAP_SECONDS, 0.05)
    assert took is not None, "it did not recover"
    return "\n       ".join(words)


def clients(binary, authority, mounted, folder):
    """Only those whom the list names may call, and strangers cannot even connect."""
    (pathlib.Path(folder) / "ca.crt").write_bytes(pem(authority.certificate))
    flags = tls_flags(mounted) + ["--tls-client-ca", f"{folder}/ca.crt", "--tls-client-allow", "spiffe://example.org/player,friend.example.org"]
    with Server(binary, *flags) as server:
        address = server.address()
        for name, allowed in [(x509.UniformResourceIdentifier("spiffe://example.org/player"), True), (x509.DNSName("friend.example.org"), True),
                              (x509.DNSName("stranger.example.org"), False)]:
            _, cert, key = authority.pair([name], 5)
            with Client(address, AS_LOCALHOST, credentials=credentials(authority, cert, key)) as client:
                if allowed:
                    client.solves()
                    continue
                for call in (lambda: client.sudoku.Solve(SOLVE, timeout=CALL_SECONDS),
                             lambda: client.sudoku.StreamSolve(iter([]), timeout=CALL_SECONDS)):
                    found = failure(call)
                    assert (found.code, found.reason) == ("PERMISSION_DENIED", "CLIENT_NOT_ALLOWED"), f"{found.code}: {found.message}"
        for other in (credentials(authority), credentials(authority, *Authority().pair([x509.DNSName("friend.example.org")], 5)[1:])):
            with Client(address, AS_LOCALHOST, credentials=other) as client:
                assert failure(lambda: client.sudoku.Solve(SOLVE, timeout=CALL_SECONDS)).code == "UNAVAILABLE"
        assert Metrics(server).get("sudoku_failed_handshakes_total") >= 2


def tls_flags(mounted):
    return ["--tls-cert", str(mounted.cert), "--tls-key", str(mounted.key)]


def check(arguments, tally):
    with tempfile.TemporaryDirectory() as folder:
        authority, mounted = Authority(), Mounted(folder)
        first, cert, key = authority.server_pair(10)
        mounted.swap(cert, key)
        with Server(arguments.binary, *tls_flags(mounted)) as server:
            address = server.address()
            assert expiry(server) == first.not_valid_after_utc.timestamp()
            tally.check("a certificate is swapped under load", swapped, server, address, authority, mounted)
            tally.check("files that cannot be used", broken, server, address, authority, mounted)
        tally.check("clients with certificates", clients, arguments.binary, authority, mounted, folder)
