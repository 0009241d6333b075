"""`tauler serve` as a process of its own, and clients of it."""
import contextlib
import http.client
import json
import select
import signal
import socket
import time
import urllib.parse

from building import SECONDS, Skip, expect, start


class Server:
    """A server of a folder on a port of its own; ends with the block, by SIGTERM and with exit code 0."""

    def __init__(self, folder, *options, **settings):
        self.process = start("serve", "--db", folder, "--port", "0", *options, **settings)
        line = self.process.stdout.readline()
        if not line:
            errors = self.process.stderr.read()
            self.process.wait()
            if "built without HTTP" in errors:
                raise Skip("the program was built without HTTP")
            expect(False, "no address:", errors)
        self.address = urllib.parse.urlsplit(line.strip())
        self.host, self.port = self.address.hostname, self.address.port

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.stop()
        else:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def stop(self, how=signal.SIGTERM, seconds=SECONDS):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(seconds)
        expect(code == 0, "exit code", code, self.process.stderr.read())

    def connect(self, seconds=SECONDS, source=None):
        """From an address of this machine, such as 127.0.0.2."""
        return socket.create_connection((self.host, self.port), seconds, source and (source, 0))

    def ask(self, path, method="GET", headers=None):
        """Status, headers and body, on a connection of its own."""
        with contextlib.closing(http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)) as connection:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def json(self, path, status=200):
        is_status, _, body = self.ask(path)
        expect(is_status == status, path, is_status, body[:300])
        return json.loads(body)

    def raw(self, data, seconds=20):
        """Bytes received until the server closes, or is silent for so long. What is sent is closed at its end, which stands for a
        client that leaves where the answer takes long."""
        with self.connect(seconds) as link:
            got = b""
            with contextlib.suppress(OSError):
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
                while piece := link.recv(65536):
                    got += piece
            return got


def responses(data):
    """The responses in what came over a connection: (status, headers, body)."""
    all_of_them = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:])
        length = int(headers.get("content-length", "0"))
        all_of_them.append((int(lines[0].split()[1]), headers, rest[:length]))
        data = rest[length:]
    return all_of_them


def closed_within(link, seconds):
    """How long until the other side closes."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if select.select([link], [], [], 0.1)[0]:
            try:
                if not link.recv(65536):
                    return time.monotonic() - began
            except OSError:
                return time.monotonic() - began
    expect(False, "still open after", seconds, "s")
