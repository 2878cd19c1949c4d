"""Whether a file is the one that was meant: its SHA-256, or a signature of ed25519 beside it.

A compiled file is code. A digest inside it shows accidents; that nobody replaced the whole file is
shown by what comes from elsewhere: a digest that was sent another way, or somebody's public key.

A signature is of the file's bytes as they are (RFC 8032), 64 bytes in a file of their own, so that
``openssl pkeyutl -verify -rawin`` reads it, too. Nothing of the file is loaded.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from tvmfuse.errors import ArtifactError, ConfigurationError, UnverifiedArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.file import open_artifact

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

PathLike = str | os.PathLike[str]

#: What a signature's file adds to the name of what it signs.
SUFFIX: Final = ".sig"
#: Bytes of a signature.
SIZE: Final = 64
#: Bytes of a file that may be a key in PEM; an ed25519 key's has some hundred.
MAX_PEM: Final = 1 << 16


def sign(path: PathLike, key: PathLike, signature: PathLike | None = None) -> Path:
    """Sign a file, and return where the signature is.

    Args:
        path: The file.
        key: An ed25519 private key in PEM: ``openssl genpkey -algorithm ed25519 -out k.pem``.
        signature: Where to write it; by default beside the file, with `SUFFIX` added to its name.

    Raises:
        ConfigurationError: The key is none, the signature would overwrite it or the file, or the
            extra `sign` is not installed.
        ArtifactError: A file cannot be read, or the signature cannot be written.
    """
    signing = _private_key(key)
    place = _place(path) if signature is None else Path(signature)
    for other in (path, key):
        if place.exists() and place.samefile(other):
            raise ConfigurationError(f"the signature would overwrite {other}: name another file")
    with open_artifact(path) as file:
        made = signing.sign(_content(file, str(path)))
    with atomic_write(place) as file:
        file.write(made)
    return place


def verify(
    path: PathLike,
    *,
    sha256: str | None = None,
    key: PathLike | None = None,
    signature: PathLike | None = None,
) -> str:
    """Check that a file is the one that was meant; return its SHA-256, in hexadecimal.

    Args:
        path: The file. None of its code is loaded.
        sha256: What it has to be, in hexadecimal, as ``sha256sum`` prints it.
        key: An ed25519 public key in PEM, which has to have signed the file.
        signature: Where the signature is; by default beside the file.

    Raises:
        UnverifiedArtifactError: It is another file, is not signed, or not by this key.
        ConfigurationError: There is neither a digest nor a key to compare with, or they are none;
            or the extra `sign` is not installed.
        ArtifactError: A file cannot be read.
    """
    with open_artifact(path) as file:
        wanted = proof_of(path, sha256=sha256, key=key, signature=signature)
        if wanted is None:
            raise ConfigurationError(
                f"{path}: nothing to compare with; give its SHA-256, or the public key that signed "
                "it"
            )
        return wanted.check(file, str(path))


@dataclass(frozen=True)
class Proof:
    """What shows that a file is the one that was meant, wherever its bytes go.

    Attributes:
        sha256: What its SHA-256 has to be, in hexadecimal, or None.
        key: The public key in PEM that has to have signed it, or None.
        signature: The signature, where there is a key.
    """

    sha256: str | None = None
    key: bytes | None = None
    signature: bytes = b""

    def check(self, file: BinaryIO, name: str) -> str:
        """Check an open file: what is loaded from it then is what was checked.

        Returns:
            Its SHA-256, in hexadecimal.

        Raises:
            UnverifiedArtifactError: It is another file, or not signed by this key.
            ConfigurationError: The extra `sign` is not installed.
            ArtifactError: The file cannot be read.
        """
        content = _content(file, name)
        found = hashlib.sha256(content).hexdigest()
        if self.sha256 not in (None, found):
            raise UnverifiedArtifactError(
                f"{name} is not the file that was meant: expected the SHA-256 {self.sha256}, found "
                f"{found}; do not load it, and get it anew"
            )
        if self.key is not None:
            _check_signature(content, name, _public_key(self.key, name), self.signature)
        return found


def proof_of(
    path: PathLike,
    *,
    sha256: str | None = None,
    key: PathLike | None = None,
    signature: PathLike | None = None,
) -> Proof | None:
    """Read what shows that a file is the one that was meant; None where nothing was given.

    Raises:
        UnverifiedArtifactError: There is a key, and no signature.
        ConfigurationError: The digest or the key is none, or the extra `sign` is not installed.
        ArtifactError: The key cannot be read.
    """
    wanted = None if sha256 is None else _digest(sha256)
    if key is None:
        return None if wanted is None else Proof(wanted)
    pem = _read(key, MAX_PEM)
    _public_key(pem, key)
    place = _place(path) if signature is None else signature
    try:
        said = _read(place, SIZE)
    except ArtifactError as error:
        raise UnverifiedArtifactError(
            f"{path} is not signed: {error}; `tvmfuse sign` makes a signature"
        ) from error
    if len(said) != SIZE:
        raise UnverifiedArtifactError(f"{place} is no signature of ed25519, which has 64 bytes")
    return Proof(wanted, pem, said)


def _check_signature(
    content: memoryview, name: str, key: Ed25519PublicKey, signature: bytes
) -> None:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, content)
    except InvalidSignature:
        raise UnverifiedArtifactError(
            f"{name} was not signed by this key as it is now: the file, the signature or the key "
            "is another one; do not load it"
        ) from None


def _digest(sha256: str) -> str:
    if not isinstance(sha256, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", sha256):
        raise ConfigurationError(
            f"expected a SHA-256 of 64 hexadecimal digits, as `sha256sum` prints it, found "
            f"{sha256!r:.80}"
        )
    return sha256.lower()


def _private_key(path: PathLike) -> Ed25519PrivateKey:
    kind, read = _cryptography("Ed25519PrivateKey", "load_pem_private_key")
    words = "private key in PEM, not encrypted: `openssl genpkey -algorithm ed25519 -out k.pem`"
    pem = _read(path, MAX_PEM)
    key: Ed25519PrivateKey = _key(pem, path, kind, lambda pem: read(pem, None), words)
    return key


def _public_key(pem: bytes, name: PathLike) -> Ed25519PublicKey:
    kind, read = _cryptography("Ed25519PublicKey", "load_pem_public_key")
    words = "public key in PEM: `openssl pkey -in k.pem -pubout -out pub.pem`"
    key: Ed25519PublicKey = _key(pem, name, kind, read, words)
    return key


def _key(
    pem: bytes, name: PathLike, kind: type[Any], read: Callable[[bytes], Any], words: str
) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        key = read(pem)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it is encrypted
        key = None
    if not isinstance(key, kind):
        raise ConfigurationError(f"{name}: expected an ed25519 {words}")
    return key


def _cryptography(kind: str, reader: str) -> tuple[Any, Any]:
    """Return a kind of key, and what reads one."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ConfigurationError(
            "signatures require cryptography: python -m pip install 'tvmfuse[sign]'"
        ) from error
    return getattr(ed25519, kind), getattr(serialization, reader)


def _place(path: PathLike) -> Path:
    return Path(f"{os.fspath(path)}{SUFFIX}")


def _read(path: PathLike, most: int) -> bytes:
    """Read a small file, and one byte more than it may have at most."""
    with open_artifact(path) as file:
        return file.read(most + 1)


def _content(file: BinaryIO, name: str) -> memoryview:
    """Return an open file's bytes, which are not copied."""
    if not os.fstat(file.fileno()).st_size:
        raise ArtifactError(f"{name} is empty")
    return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
