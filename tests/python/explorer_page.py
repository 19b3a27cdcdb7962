"""`fairstep explore` as a program that runs: its address, what it answers, where it listens."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from conftest import BINARY, PATIENCE


class Page:
    """`fairstep explore` that has said where it is."""

    def __init__(self, folder, *words, env=None):
        self.process = subprocess.Popen(
            [BINARY, "explore", *map(str, words), "--json"],
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        text = ""
        while not text.endswith("\n}\n"):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()
            text += line
        self.said = json.loads(text)
        self.address = self.said["address"]
        parts = urlsplit(self.address)
        self.port, self.path = parts.port, parts.path

    def ask(self, path="", method="GET", *, full_path=None, body=None, headers=None):
        """Status, headers and text. `Host` is ours unless given; None leaves it out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Host": f"127.0.0.1:{self.port}"} | (headers or {})
        connection.putrequest(method, self.path + path if full_path is None else full_path, skip_host=True)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        reply = connection.getresponse()
        found = (reply.status, dict(reply.getheaders()), reply.read().decode())
        connection.close()
        return found

    def answer(self, path, method="GET"):
        status, _, text = self.ask(path, method)
        assert status == 200, text
        return json.loads(text)

    def proven(self, question):
        number = self.answer(f"proof?{question}", "POST")["number"]
        while (state := self.answer("proof"))["running"]:
            assert state["number"] == number
        return state["answer"]

    def raw(self, sent):
        """All that comes back for these bytes, until the other side ends it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as peer:
            peer.sendall(sent)
            peer.shutdown(socket.SHUT_WR)
            received = b""
            while piece := peer.recv(65536):
                received += piece
        return received

    def end(self, sent=signal.SIGINT):
        self.process.send_signal(sent)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def listening(pid):
    """(address, port) of each socket of the process that listens, as the kernel has them in hex."""
    inodes = {
        found[1]
        for link in Path(f"/proc/{pid}/fd").iterdir()
        if (found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(link)))
    }
    found = []
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[9] in inodes and (fields[3] == "0A" or table.startswith("udp")):
                address, port = fields[1].split(":")
                found.append((table, address, int(port, 16)))
    return found
