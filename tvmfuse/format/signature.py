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
        return check_open(file, str(path), sha256=sha256, key=key, signature=signature)


def check_open(
    file: BinaryIO,
    name: str,
    *,
    sha256: str | None = None,
    key: PathLike | None = None,
    signature: PathLike | None = None,
) -> str:
    """Check a file that is open, as `verify` does: what is loaded from it then is what was checked.

    Raises:
        TvmfuseError: What `verify` raises.
    """
    if sha256 is None and key is None:
        raise ConfigurationError(
            f"{name}: nothing to compare with; give its SHA-256, or the public key that signed it"
        )
    wanted = None if sha256 is None else _digest(sha256)
    verifying = None if key is None else _public_key(key)
    found = hashlib.sha256(_content(file, name)).hexdigest()
    if wanted not in (None, found):
        raise UnverifiedArtifactError(
            f"{name} is not the file that was meant: expected the SHA-256 {wanted}, found {found}; "
            "do not load it, and get it anew"
        )
    if verifying is not None:
        _check_signature(file, name, verifying, _place(name) if signature is None else signature)
    return found


def _check_signature(file: BinaryIO, name: str, key: Ed25519PublicKey, signature: PathLike) -> None:
    from cryptography.exceptions import InvalidSignature

    try:
        said = _read(signature, SIZE)
    except ArtifactError as error:
        raise UnverifiedArtifactError(
            f"{name} is not signed: {error}; `tvmfuse sign` makes a signature"
        ) from error
    if len(said) != SIZE:
        raise UnverifiedArtifactError(f"{signature} is no signature of ed25519, which has 64 bytes")
    try:
        key.verify(said, _content(file, name))
    except InvalidSignature:
        raise UnverifiedArtifactError(
            f"{name} was not signed by this key as it is now: the file, {signature} or the key is "
            "another one; do not load it"
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
    key: Ed25519PrivateKey = _key(path, kind, lambda pem: read(pem, None), words)
    return key


def _public_key(path: PathLike) -> Ed25519PublicKey:
    kind, read = _cryptography("Ed25519PublicKey", "load_pem_public_key")
    words = "public key in PEM: `openssl pkey -in k.pem -pubout -out pub.pem`"
    key: Ed25519PublicKey = _key(path, kind, read, words)
    return key


def _key(path: PathLike, kind: type[Any], read: Callable[[bytes], Any], words: str) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm

    pem = _read(path, MAX_PEM)
    try:
        key = read(pem)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it is encrypted
        key = None
    if not isinstance(key, kind):
        raise ConfigurationError(f"{path}: expected an ed25519 {words}")
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
