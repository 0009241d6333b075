"""Publications and servers of strangers: right ones, of which a case makes wrong ones."""
import ctypes
import ctypes.util
import hashlib
import os
import re
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time

CATALOGUE, SUMS = "tables/catalogue", "SHA256SUMS"


def compress(plain, *options):
    return subprocess.run(["zstd", "-q", "-c", "--check", *options], input=plain, stdout=subprocess.PIPE, check=True).stdout


def entry(path, size, head=b""):
    """The bytes of a file in the catalogue."""
    return struct.pack("<QII", size, len(path), len(head)) + path + head


class Digest(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def sign_head(head):
    """The header of a table with a digest that agrees."""
    digest = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_128bits
    digest.restype, digest.argtypes = Digest, [ctypes.c_char_p, ctypes.c_size_t]
    found = digest(head[:1008], 1008)
    return head[:1008] + struct.pack("<QQ", found.low, found.high)


class Publication:
    """Files of a published folder by their path, in memory; `tables` are the paths of tables below tables/."""

    def __init__(self, folder):
        self.files = {}
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                with open(path, "rb") as file:
                    self.files[os.path.relpath(path, folder)] = file.read()
        self.tables = sorted(path[len("tables/"):] for path in self.files if path.endswith(".zst"))

    def copy(self):
        other = object.__new__(Publication)
        other.files, other.tables = dict(self.files), list(self.tables)
        return other

    def table(self, name):
        return self.files["tables/" + name]

    def entry(self, name, size=None, head=None, path=None):
        """What the catalogue says of a table, unless it is told to say something else."""
        data = self.files.get("tables/" + name, b"")
        return entry((name if path is None else path).encode(), len(data) if size is None else size, data[:1024] if head is None else head)

    def sums(self):
        return b"".join(b"%s  %s\n" % (hashlib.sha256(data).hexdigest().encode(), path.encode())
                        for path, data in sorted(self.files.items()) if path != SUMS)

    def sign(self):
        self.files[SUMS] = self.sums()
        return self

    def list_as(self, plain, *options):
        """With a catalogue of these plain bytes, and sums that agree with all files."""
        self.files[CATALOGUE] = compress(plain, *options)
        return self.sign()

    def list_tables(self):
        return self.list_as(b"".join(self.entry(name) for name in self.tables))

    def move(self, name, to):
        self.files["tables/" + to] = self.files.pop("tables/" + name)
        self.tables = sorted(to if table == name else table for table in self.tables)
        return self.list_tables()

    def write(self, folder):
        for path, data in self.files.items():
            where = os.path.join(folder, path)
            os.makedirs(os.path.dirname(where), exist_ok=True)
            with open(where, "wb") as file:
                file.write(data)


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        space = self.server.space
        self.request.settimeout(600)
        try:
            asked = b""
            while b"\r\n\r\n" not in asked:
                more = self.request.recv(65536)
                if not more:
                    return
                asked += more
            path = asked.split(b" ")[1].decode().lstrip("/")
            found = re.search(rb"(?i)\r\nrange: bytes=(\d+)-", asked)
            space.asked.append((path, int(found[1]) if found else 0))
            (space.act if path == space.bad else honest)(self.request, space, path, space.asked[-1][1])
        except OSError:
            space.left.set()

    def finish(self):
        self.request.close()


def head(status, *lines):
    return "\r\n".join((f"HTTP/1.1 {status} said", *lines, "Connection: close", "", "")).encode()


def honest(to, space, path, first):
    data = space.files.get(path)
    if data is None:
        to.sendall(head(404, "Content-Length: 0"))
    elif not first:
        to.sendall(head(200, f"Content-Length: {len(data)}") + data)
    elif first >= len(data):
        to.sendall(head(416, f"Content-Range: bytes */{len(data)}", "Content-Length: 0"))
    else:
        to.sendall(head(206, f"Content-Length: {len(data) - first}", f"Content-Range: bytes {first}-{len(data) - 1}/{len(data)}")
                   + data[first:])


def wait_until_gone(to, space):
    """The client says nothing more; an end is that of its side."""
    while to.recv(65536):
        pass
    space.left.set()


def again_and_again(to, part, pause=0.0, times=sys.maxsize):
    for _ in range(times):
        to.sendall(part)
        time.sleep(pause)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *what):
        pass


class Stranger:
    """Serves a publication on a port of its own, and acts in its own way where the path `bad` is asked for."""

    def __init__(self, publication, bad=None, act=honest):
        self.files, self.bad, self.act = publication.files, bad, act
        self.asked = []  # (path, first byte)
        self.left = threading.Event()  # a client went before its answer ended
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.space = self
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *what):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def reset(to):
    to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.close()
