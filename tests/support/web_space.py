"""A static web space of a folder: HTTP range requests, or none, or of compressed files, and what was asked of it."""
import functools
import gzip
import http.server
import os
import re
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    """Answers one range of bytes, as most servers do."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms for the word that its head has come
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript",
                      ".wasm": "application/wasm", "": "application/octet-stream"}

    def do_GET(self):
        space = self.server.space
        if space.cut or (space.broken_after and len(space.asked) >= space.broken_after):
            self.close_connection = True
            return
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        path = self.translate_path(self.path)
        if space.compresses and os.path.isfile(path) and path.endswith((".zst", ".offsets")):
            self.send_compressed(path, None if space.compresses == "whole" else wanted)
            return
        if not wanted or not space.ranges or not os.path.isfile(path):
            self.note(None, os.path.getsize(path) if os.path.isfile(path) else 0)
            super().do_GET()
            return
        size = os.path.getsize(path)
        first = int(wanted[1])
        last = min(int(wanted[2] or size), size - 1)
        if first >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.note(first, last - first + 1)
        self.send_response(206)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        with open(path, "rb") as file:
            file.seek(first)
            self.wfile.write(file.read(last - first + 1))

    def do_HEAD(self):
        path = self.translate_path(self.path)
        if not self.server.space.compresses or not path.endswith((".zst", ".offsets")):
            super().do_HEAD()
            return
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()

    def send_compressed(self, path, wanted):
        """As some web spaces do: parts are those of the compressed file."""
        with open(path, "rb") as file:
            sent = gzip.compress(file.read())
        size = len(sent)
        if wanted:
            sent = sent[int(wanted[1]):int(wanted[2] or size) + 1]
        self.note(int(wanted[1]) if wanted else None, len(sent))
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Encoding", "gzip")
        if wanted:
            self.send_header("Content-Range", f"bytes {wanted[1]}-{int(wanted[1]) + len(sent) - 1}/{size}")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def note(self, first, size):
        space = self.server.space
        keeps = self.headers.get("Referer", "").endswith("/offline.js")
        (space.kept if keeps else space.asked).append((self.path, first, size))

    def log_message(self, *what):
        pass


class WebSpace:
    """Serves a folder on a port of its own for as long as the block lasts."""

    def __init__(self, folder, ranges=True, broken_after=0):
        self.ranges, self.broken_after = ranges, broken_after
        self.cut = False  # answers nothing any more
        self.compresses = False  # sends tables by gzip; "whole": and no parts of them
        self.asked = []  # (path, first byte or None, bytes)
        self.kept = []  # the same, of files that are fetched whole to go on without a network
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.server.space = self
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *what):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
