"""A GitHub on loopback for the tests: stateful, with faults on demand, judged by GitHub's own OpenAPI description.

`Peer` is ours and needs Python alone. `node` starts a second, independent one (emulate behind Prism), where Node is.
"""

from github.peer.faults import Fault
from github.peer.server import Peer
from github.peer.world import Identity, World

__all__ = ["Fault", "Identity", "Peer", "World"]
