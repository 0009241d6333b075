"""What strangers publish to do harm: changes of a publication, files in it that are none, and servers."""
import itertools
import os
import socket
import struct
import subprocess

from strangers.publication import CATALOGUE, SUMS, again_and_again, entry, head, reset, sign_head, wait_until_gone

TABLE = "auale/awari/even/3.value.zst"  # one of the middle
PLACE = os.path.dirname(TABLE)


def put(path, data):
    def change(publication):
        publication.files[path] = data(publication.files[path]) if callable(data) else data
    return change


def signed(change):
    def both(publication):
        change(publication)
        publication.sign()
    return both


def flip(at):
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def lists(plain, *options):
    return lambda publication: publication.list_as(plain(publication) if callable(plain) else plain, *options)


def moved(to):
    return lambda publication: publication.move(TABLE, to)


def of_sums():
    """Changes of SHA256SUMS."""
    line = b"0" * 64
    alone = {"nothing": b"", "digits and a blank": line + b" ", "digits": line, "NUL": line + b" \0x", "binary": bytes(range(256)),
             "NUL in a path": line + b"  a\0b\n", "no path": line + b"  \n", "digits too many": b"0" + line + b"  a\n",
             "no digits": b"x" * 64 + b"  a\n", "one long line": b"a" * 100000, "page of a server": b"<html>no</html>\n"}
    for name, data in alone.items():
        yield name, put(SUMS, data)
    yield "twice", put(SUMS, lambda data: data + data)
    yield "all but the catalogue", put(SUMS, lambda data: b"".join(x for x in data.splitlines(True) if b"catalogue" not in x))
    yield "all but a table", put(SUMS, lambda data: b"".join(x for x in data.splitlines(True) if b"3.value" not in x))
    yield "half", put(SUMS, lambda data: data[:len(data) // 2])
    yield "other digests", put(SUMS, lambda data: data.translate(bytes.maketrans(b"0123456789", b"1234567890")))
    yield "9 MiB of zeros", put(SUMS, bytes(9 << 20))
    yield "8 MiB of lines", put(SUMS, lambda data: data + b"".join(b"%064x  %x\n" % (i, i) for i in range(110000)) + b"and one")
    yield "8 MiB of lines that are none", put(SUMS, b"\n" * (8 << 20))


def of_catalogue():
    """Changes of the catalogue, with sums that agree."""
    for name, data in {"nothing": b"", "text": b"no list", "magic": bytes.fromhex("28b52ffd")}.items():
        yield name, signed(put(CATALOGUE, data))
    for part in range(1, 8):
        yield f"{part}/8", signed(put(CATALOGUE, lambda data, part=part: data[:len(data) * part // 8]))
        yield f"bit at {part}/8", signed(put(CATALOGUE, lambda data, part=part: flip(len(data) * part // 8)(data)))
    yield "last bit", signed(put(CATALOGUE, lambda data: flip(len(data) - 1)(data)))
    yield "a byte more", signed(put(CATALOGUE, lambda data: data + b"\0"))
    yield "two frames", signed(put(CATALOGUE, lambda data: data + data))
    yield "other digest", put(CATALOGUE, lambda data: data + b"\0")
    yield "16 MiB and more", signed(put(CATALOGUE, bytes((16 << 20) + 1)))
    for name, n, path, first in (("path", 1 << 31, 0, 0), ("path of all", 0xffffffff, 0, 0), ("head", 5, 0xffffffff, 0),
                                 ("head of 4097", 5, 4097, 0), ("both", 0xffffffff, 0xffffffff, 1 << 63)):
        yield f"length of {name}", lists(struct.pack("<QII", first, n, path) + b"a/1.z")
    yield "half an entry", lists(lambda p: p.entry(TABLE)[:500])
    yield "part of an entry", lists(lambda p: p.entry(TABLE) + b"123")
    for path in ("/etc/passwd.zst", "../3.value.zst", "auale/../../3.value.zst", "auale//3.value.zst", "./3.value.zst",
                 ".hidden/3.value.zst", "auale/.3.value.zst", "auale/", "", "a\nb.zst", "a\\b.zst", "a\x1b[2Jb.zst",
                 "\u00fc/3.value.zst", "x" * 3000 + "/3.value.zst", "x" * 300 + "/3.value.zst"):
        yield f"path {path[:20]!r}", lists(lambda p, path=path: p.entry(TABLE, path=path))
    yield "NUL in a path", lists(lambda p: entry(TABLE.encode() + b"\0x", len(p.table(TABLE)), p.table(TABLE)[:1024]))
    for change in (-1, 1, 1 << 40):
        yield f"size off by {change}", lists(lambda p, change=change: p.entry(TABLE, size=len(p.table(TABLE)) + change))
    for size in (0, 1 << 63, (1 << 64) - 1):
        yield f"size {size}", lists(lambda p, size=size: p.entry(TABLE, size=size))
    for n in (1, 100, 1023, 1025, 4096):
        yield f"head of {n}", lists(lambda p, n=n: p.entry(TABLE, head=(p.table(TABLE) + bytes(4096))[:n]))
    yield "head of zeros", lists(lambda p: p.entry(TABLE, head=bytes(1024)))
    for at in (0, 8, 24, 32, 36, 40, 48, 56, 64, 72, 96, 112, 128, 160, 300, 1007, 1023):
        yield f"head with a bit at {at}", lists(lambda p, at=at: p.entry(TABLE, head=flip(at)(p.table(TABLE)[:1024])))
    for at in (112, 128, 160):
        yield f"signed head with a bit at {at}", lists(lambda p, at=at: p.entry(TABLE, head=sign_head(flip(at)(p.table(TABLE)[:1024]))))
    yield "head of another table", lists(lambda p: p.entry(TABLE, head=p.table(p.tables[0])[:1024]))
    yield "a window of 128 MiB", lists(lambda p: p.entry(TABLE) + bytes(1 << 20), "--long=27", "--ultra", "-22", "--no-content-size")
    yield "zeros", lists(bytes(1 << 20))
    yield "an entry many times", lists(lambda p: p.entry(TABLE) * 1000)
    yield "entries of offsets many times", lists(entry(b"auale/1.zst.offsets", 5) * 100000)
    yield "200 MB of zeros", lambda p: bomb(p, b"\0" * (1 << 20), 200)
    yield "400 MB of entries", lambda p: bomb(p, p.entry(TABLE) * 1000, 400)
    yield "400 MB of small entries", lambda p: bomb(p, entry(b"a.zst.offsets", 5) * 32768, 400)


def bomb(publication, plain, times):
    """A catalogue of the same bytes many times, which are never in memory here."""
    packer = subprocess.Popen(["zstd", "-q", "-c", "--check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for _ in range(times):
        packer.stdin.write(plain)
    publication.files[CATALOGUE] = packer.communicate()[0]
    publication.sign()


def of_places():
    """Tables that stand where they do not belong, with lists that agree."""
    for to in (f"{PLACE}/9.value.zst", f"{PLACE}/3.depth.zst", "auale/abapa/forced/3.value.zst", "auale/awari/3.value.zst",
               "Auale/awari/even/3.value.zst", f"{PLACE}/3.value (1).zst", f"{PLACE}/@eaDir/3.value.zst", "3.value.zst",
               "auale/awari/even/even/3.value.zst", "doushouqi/base/2/3.value.zst", f"{PLACE}/3.value.zst.zst", f"{PLACE}/3.VALUE.zst"):
        yield to, moved(to)


def of_tables():
    """Tables that are not what the lists say."""
    path = "tables/" + TABLE
    for part in range(8):
        yield f"bit at {part}/8", put(path, lambda data, part=part: flip(len(data) * part // 8)(data))
    yield "nothing", put(path, b"")
    yield "half", put(path, lambda data: data[:len(data) // 2])
    yield "a byte more", put(path, lambda data: data + b"\0")
    yield "a byte less", put(path, lambda data: data[:-1])
    yield "40 MB more", put(path, lambda data: data + bytes(40 << 20))
    yield "another table", lambda p: p.files.update({path: p.table(p.tables[0])})
    for at in (-1, -5, -20):  # the seek table and its counts
        yield f"bit at {at}, with sums", signed(put(path, lambda data, at=at: flip(len(data) + at)(data)))
    yield "bit of the header, with sums", signed(put(path, flip(30)))


def is_missing(where):
    os.unlink(where)


def is_folder(where):
    os.unlink(where)
    os.mkdir(where)


def is_pipe(where):
    os.unlink(where)
    os.mkfifo(where)


def is_socket(where):
    os.unlink(where)
    with socket.socket(socket.AF_UNIX) as made:
        folder = os.open(os.path.dirname(where), os.O_RDONLY)
        made.bind(f"/proc/self/fd/{folder}/{os.path.basename(where)}")
        os.close(folder)


def is_sparse(where):
    os.truncate(where, 1 << 40)


def leads_to(target):
    def change(where):
        os.unlink(where)
        os.symlink(target(where) if callable(target) else target, where)
    return change


def in_folders():
    """What stands in a folder in the place of a file: a change of the path."""
    ways = {"missing": is_missing, "a folder": is_folder, "a pipe": is_pipe, "a socket": is_socket, "1 TiB of nothing": is_sparse,
            "a link to zeros": leads_to("/dev/zero"), "a link to a terminal": leads_to("/dev/tty"), "a link to nowhere": leads_to("nowhere"),
            "a link to itself": leads_to(os.path.basename), "a link to its folder": leads_to("."), "a link to memory": leads_to("/proc/self/mem")}
    for path, (name, change) in itertools.product((SUMS, CATALOGUE, "tables/" + TABLE), ways.items()):
        yield f"{path} is {name}", lambda folder, path=path, change=change: change(os.path.join(folder, path))


def answers(data):
    def act(to, space, path, first):
        to.sendall(data)
    return act


def cut_after(part):
    def act(to, space, path, first):
        data = space.files[path]
        to.sendall(head(200, f"Content-Length: {len(data)}") + data[:int(len(data) * part)])
    return act


def endless(start, part):
    def act(to, space, path, first):
        to.sendall(start)
        again_and_again(to, part)
    return act


def stalls(sent, pause=None):
    """Sends what it is given, and then nothing; with a pause, a byte after each pause."""
    def act(to, space, path, first):
        data = space.files[path]
        to.sendall(sent(data))
        if pause is None:
            wait_until_gone(to, space)
        again_and_again(to, b"x", pause, times=400)
    return act


def shifted(to, space, path, first):
    data = space.files[path]
    to.sendall(head(206, f"Content-Length: {len(data) - 1}", f"Content-Range: bytes 1-{len(data) - 1}/{len(data)}") + data[1:])


def leads_on(to, space, path, first):
    to.sendall(head(302, f"Location: {space.address}/{path}", "Content-Length: 0"))


def broken(to, space, path, first):
    to.sendall(head(200, "Content-Length: 100000") + b"x")
    reset(to)


# Servers that do harm at once, and those that wait.
ACTS = {
    "404": answers(head(404, "Content-Length: 0")), "403": answers(head(403, "Content-Length: 0")),
    "500": answers(head(500, "Content-Length: 0")), "416": answers(head(416, "Content-Length: 0")),
    "401": answers(head(401, "WWW-Authenticate: Basic", "Content-Length: 0")),
    "no HTTP": answers(b"SSH-2.0-OpenSSH_9.2\r\n"), "HTTP 0.9": answers(b"x" * 1000), "nothing": answers(b""),
    "half a head": answers(b"HTTP/1.1 200 OK\r\nContent-"), "half": cut_after(0.5), "all but a byte": cut_after(0.99),
    "chunks that are none": answers(head(200, "Transfer-Encoding: chunked") + b"zz\r\nno\r\n"),
    "a chunk of 2^64": answers(head(200, "Transfer-Encoding: chunked") + b"ffffffffffffffffff\r\nno\r\n"),
    "a length below 0": answers(head(200, "Content-Length: -5") + b"x"),
    "two lengths": answers(head(200, "Content-Length: 5", "Content-Length: 50") + b"x" * 50),
    "a length of 2^70": answers(head(200, "Content-Length: 1180591620717411303424") + b"x"),
    "an answer that leads to itself": leads_on,
    "an answer that leads to a file": answers(head(302, "Location: file:///etc/passwd", "Content-Length: 0")),
    "an answer that leads to ftp": answers(head(302, "Location: ftp://127.0.0.1/x", "Content-Length: 0")),
    "an answer that leads nowhere": answers(head(302, "Location: ", "Content-Length: 0")),
    "a reset": broken, "a part that was not asked for": shifted,
    "endless bytes": endless(head(200), b"x" * 65536), "endless zeros": endless(head(200), bytes(65536)),
    "endless chunks": endless(head(200, "Transfer-Encoding: chunked"), b"10000\r\n" + b"x" * 65536 + b"\r\n"),
    "an endless head": endless(b"HTTP/1.1 200 OK\r\n", b"X-Header: " + b"x" * 1000 + b"\r\n"),
    "endless 100": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}
WAITS = {
    "stalls at once": stalls(lambda data: b""), "stalls in its head": stalls(lambda data: b"HTTP/1.1 200 OK\r\nContent-"),
    "stalls behind its head": stalls(lambda data: head(200, f"Content-Length: {len(data)}")),
    "stalls in the middle": stalls(lambda data: head(200, f"Content-Length: {len(data)}") + data[:len(data) // 2]),
    "stalls before its end": stalls(lambda data: head(200, f"Content-Length: {len(data) + 1}") + data),
    "drips": stalls(lambda data: head(200, "Content-Length: 100000"), 0.05),
    "drips a head": stalls(lambda data: b"HTTP/1.1 200 OK\r\nX: ", 0.05),
    "drips without a length": stalls(lambda data: head(200), 0.05),
    "drips beside a whole": stalls(lambda data: head(200) + data, 0.05),
}


def servers(acts):
    for (name, act), path in itertools.product(acts.items(), (SUMS, CATALOGUE, "tables/" + TABLE)):
        yield f"{path}: {name}", path, act


GROUPS = {"sums": of_sums, "catalogue": of_catalogue, "places": of_places, "tables": of_tables}
