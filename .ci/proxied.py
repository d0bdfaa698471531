"""Proxies in front of sudoku-service, with the configurations of deploy/ as they are; only addresses in them are others.

What is not on this machine is unpacked below target/ci: nginx and HAProxy from Debian's packages, without installing them.
Envoy is a package of .ci/requirements.txt.
"""
import os, pathlib, random, re, shutil, socket, subprocess, time
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from harness import CALL_SECONDS, ROOT, SERVICE, START_SECONDS, STOP_SECONDS, Server, output, run

TOOLS = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "ci"
FOLDER = TOOLS / "proxies"
DEBIAN = FOLDER / "debian"
DEPLOY = ROOT / "deploy"
INSTALL_SECONDS = 300
DRAIN_DELAY = "3s"  # longer than a proxy takes to see that an instance is not ready

NGINX = """
daemon off;
worker_processes 2;
{user}
pid {folder}/pid;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {config};
}}
"""


class Instance:
    """A server that can be ended and started again at the same addresses."""

    def __init__(self, binary, *flags):
        self.command = binary, *flags
        self.port, self.admin_port = free_port(), free_port()
        self.server = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    def start(self):
        self.server = Server(*self.command, listen=f"127.0.0.1:{self.port}", admin=f"127.0.0.1:{self.admin_port}")
        try:
            self.server.address()
        except BaseException:
            self.server.__exit__()
            raise

    def stop(self):
        code = self.server.stop()
        assert code == 0, f"exit code {code}"


class Proxy:
    """A proxy in front of two instances, on a port of its own; gone when the `with` block is left, however it is left."""

    def __init__(self, name, instances, shipped, command):
        self.name = name
        self.folder = FOLDER / name
        self.folder.mkdir(parents=True, exist_ok=True)
        one, two = instances
        ports = {50050: free_port(), 50051: one.port, 50052: two.port, 9464: one.admin_port, 9465: two.admin_port, 9901: free_port()}
        self.address, self.admin = f"127.0.0.1:{ports[50050]}", f"127.0.0.1:{ports[9901]}"
        self.config = self.folder / pathlib.Path(shipped).name
        self.config.write_text(filled((DEPLOY / shipped).read_text(), ports))
        self.log = open(self.folder / "log", "w")
        self.process = subprocess.Popen(
            command(self), env=environment(), stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, cwd=self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def serves(self):
        """Waits until calls come through."""
        deadline = time.monotonic() + START_SECONDS
        with grpc.insecure_channel(self.address) as channel:
            while True:
                try:
                    return health_pb2_grpc.HealthStub(channel).Check(
                        health_pb2.HealthCheckRequest(service=SERVICE), timeout=CALL_SECONDS, wait_for_ready=True)
                except grpc.RpcError:
                    assert self.process.poll() is None, f"{self.name} has ended:\n{self.last_lines()}"
                    assert time.monotonic() < deadline, f"{self.name} serves nothing:\n{self.last_lines()}"
                    time.sleep(0.1)

    def last_lines(self):
        return "\n".join(pathlib.Path(self.log.name).read_text().splitlines()[-20:])


def drain_flags(binary):
    """How an instance behind a proxy is to end."""
    return ("--drain-timeout", "20s", *(("--drain-delay", DRAIN_DELAY) if "--drain-delay" in output(binary, "--help") else ()))


def envoy(instances):
    def command(proxy):
        descriptor_set = FOLDER / "sudoku.binpb"
        done = run(DEPLOY / "envoy/descriptor_set", descriptor_set)
        assert done.returncode == 0, done.stderr
        proxy.config.write_text(proxy.config.read_text().replace("/etc/envoy/sudoku.binpb", str(descriptor_set)))
        return [program("envoy"), "-c", proxy.config, "--concurrency", "2", "--log-level", "warning", "--disable-hot-restart"]
    return Proxy("envoy", instances, "envoy/envoy.yaml", command)


def nginx(instances):
    def command(proxy):
        whole = proxy.folder / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        whole.write_text(NGINX.format(folder=proxy.folder, config=proxy.config, user=user))
        return [program("nginx"), "-p", proxy.folder, "-e", "stderr", "-c", whole]
    return Proxy("nginx", instances, "nginx/sudoku.conf", command)


def haproxy(instances):
    return Proxy("haproxy", instances, "haproxy/haproxy.cfg", lambda proxy: [program("haproxy"), "-db", "-f", proxy.config])


def filled(config, ports):
    """The configuration with other ports than the shipped ones."""
    return re.sub(r"\b(5005[0-2]|946[45]|9901)\b", lambda shipped: str(ports[int(shipped.group())]), config)


def free_port():
    """A free port that stays free while a server restarts: below those that the system gives to connections."""
    limits = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest = int(limits.read_text().split()[0]) if limits.exists() else 32768
    while True:
        port = random.randrange(10_000, lowest)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def program(name):
    """Where a program is, if it is on the PATH or was unpacked by `install`."""
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", str(DEBIAN / "usr/sbin")]))


def environment():
    """With the libraries that were unpacked by `install`."""
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(map(str, DEBIAN.glob("usr/lib/*-linux-gnu")))}


def install():
    """Unpacks what is missing of nginx and HAProxy below target/ci, and gives all versions."""
    if missing := [name for name in ("nginx", "haproxy") if not program(name)]:
        for folder in ("lists/partial", "cache/archives/partial", "packages"):
            (FOLDER / "apt" / folder).mkdir(parents=True, exist_ok=True)
        apt("update")
        needed = re.findall(r"^Inst (\S+)", apt("install", "--simulate", "--no-install-recommends", *missing), re.MULTILINE)
        apt("download", *needed)
        for package in (FOLDER / "apt/packages").glob("*.deb"):
            done = run("dpkg", "-x", package, DEBIAN)
            assert done.returncode == 0, done.stderr
    return ", ".join(version(*command) for command in [("envoy", "--version"), ("nginx", "-v"), ("haproxy", "-v")])


def apt(*arguments):
    """Runs apt-get with folders of its own, so that the system stays as it is."""
    folders = [f"-oDir::State::Lists={FOLDER}/apt/lists", f"-oDir::Cache={FOLDER}/apt/cache", "-oAPT::Sandbox::User=root"]
    done = subprocess.run(
        ["apt-get", "-q", *folders, *arguments], capture_output=True, text=True, timeout=INSTALL_SECONDS, cwd=FOLDER / "apt/packages")
    assert done.returncode == 0, f"apt-get {arguments[0]}: {done.stderr.strip()}"
    return done.stdout


def version(name, flag):
    assert program(name), f"{name} is not on the PATH"
    done = subprocess.run([program(name), flag], capture_output=True, text=True, timeout=CALL_SECONDS, env=environment())
    number = re.search(r"\d+\.\d+\.\d+", done.stdout + done.stderr)
    assert number, f"{name} does not run: {done.stderr}"
    return f"{name} {number.group()}"
