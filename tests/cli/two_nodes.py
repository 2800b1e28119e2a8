"""A Ray of two nodes with a core each, on the loopback: `python -m tests.cli.two_nodes`.

It writes its address, and ends with its input.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psutil  # type: ignore[import-untyped]


class Nodes(NamedTuple):
    """The running Ray: its address, and what is in the environment of whoever joins it."""

    address: str
    environment: dict[str, str]
    process: psutil.Process

    def node_of(self, worker: int) -> int:
        """The process of the node that this process is a worker of."""
        parents: list[int] = [parent.pid for parent in psutil.Process(worker).parents()]
        assert self.process.pid in parents
        return parents[0]


@contextmanager
def two_nodes(**environment: str) -> Iterator[Nodes]:
    # The names of its sockets are too long for a folder of pytest's.
    with TemporaryDirectory(
        prefix="lastspike-ray-", dir="/tmp", ignore_cleanup_errors=True
    ) as folder:
        environment = {
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # so that it listens on the loopback only
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_TMPDIR": folder,
            "PATH": "",
            **environment,
        }
        with subprocess.Popen(
            [sys.executable, "-m", "tests.cli.two_nodes"],
            env=environment,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout
            assert running.stdin
            try:
                address = running.stdout.readline().strip()
                yield Nodes(address, environment, psutil.Process(running.pid))
            finally:
                running.stdin.close()
                running.wait(60)


def main() -> None:
    from ray.cluster_utils import Cluster

    node = {"node_ip_address": "127.0.0.1", "num_cpus": 1, "object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    cluster.add_node(**node)
    print(cluster.address, flush=True)
    sys.stdin.read()
    cluster.shutdown()


if __name__ == "__main__":
    main()
