"""signature: a file that is not the one that was meant is refused before anything of it is loaded."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from pretended import tvmfuse_cli
from relax_models import affine, python, saved, succeeds

from tvmfuse.errors import ArtifactError, ConfigurationError, UnverifiedArtifactError
from tvmfuse.format.signature import sign, verify
from tvmfuse.runtime import whole_file
from tvmfuse.runtime.loading import load

PEM = serialization.Encoding.PEM
PUBLIC = serialization.PublicFormat.SubjectPublicKeyInfo
PRIVATE = serialization.PrivateFormat.PKCS8


def write_keys(folder: Path, name: str, key: Any = None, encryption: Any = None) -> None:
    key = key or ed25519.Ed25519PrivateKey.generate()
    encryption = encryption or serialization.NoEncryption()
    (folder / f"{name}.pem").write_bytes(key.private_bytes(PEM, PRIVATE, encryption))
    (folder / f"{name}.pub").write_bytes(key.public_key().public_bytes(PEM, PUBLIC))


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a model, its signature, the keys that made it, and others."""
    folder = tmp_path_factory.mktemp("signed")
    saved(affine(), folder)
    write_keys(folder, "ours")
    write_keys(folder, "theirs")
    write_keys(folder, "rsa", rsa.generate_private_key(65537, 2048))
    write_keys(folder, "locked", encryption=serialization.BestAvailableEncryption(b"word"))
    (folder / "none.pem").write_text("no key")
    assert sign(folder / "model.so", folder / "ours.pem") == folder / "model.so.sig"
    return folder


@pytest.fixture
def folder(signed: Path, tmp_path: Path) -> Path:
    """Return a copy of it, to be changed; its model must not be loaded."""
    shutil.copytree(signed, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_file, "LibraryFunctions", lambda *_: pytest.fail("it was loaded"))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_file_that_was_signed_is_verified_and_loaded(signed: Path) -> None:
    path, found = signed / "model.so", digest(signed / "model.so")
    assert verify(path, key=signed / "ours.pub") == found
    assert verify(path, sha256=found.upper()) == found
    assert verify(path, sha256=found, key=signed / "ours.pub") == found
    assert load(path, sha256=found, key=signed / "ours.pub").manifest.name == "affine"


def test_a_signature_is_64_bytes_that_openssl_reads(signed: Path) -> None:
    if not (openssl := shutil.which("openssl")):
        pytest.skip("openssl is not installed")
    assert (signed / "model.so.sig").stat().st_size == 64
    command = [openssl, "pkeyutl", "-verify", "-pubin", "-inkey", "ours.pub", "-rawin"]
    command += ["-in", "model.so", "-sigfile", "model.so.sig"]
    done = subprocess.run(command, cwd=signed, capture_output=True, text=True, check=False)
    assert "Signature Verified Successfully" in done.stdout, done.stderr


@pytest.mark.parametrize("place", [0, 1000, -200, -1])
@pytest.mark.usefixtures("unloaded")
def test_an_altered_file_is_refused(folder: Path, place: int) -> None:
    path = folder / "model.so"
    meant, content = digest(path), bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    for check in (verify, load):
        with pytest.raises(UnverifiedArtifactError, match=r"model.so was not signed by this key"):
            check(path, key=folder / "ours.pub")
        with pytest.raises(UnverifiedArtifactError, match=f"expected the SHA-256 {meant}, found "):
            check(path, sha256=meant)


@pytest.mark.usefixtures("unloaded")
def test_a_model_that_somebody_else_compiled_and_signed_is_refused(folder: Path) -> None:
    """Its own digest fits: whoever makes a file makes that, too."""
    meant = digest(folder / "model.so")
    affine(columns=4).build().save(folder / "model.so")
    sign(folder / "model.so", folder / "theirs.pem")
    for check in (verify, load):
        with pytest.raises(UnverifiedArtifactError, match="was not signed by this key"):
            check(folder / "model.so", key=folder / "ours.pub")
        with pytest.raises(UnverifiedArtifactError, match="is not the file that was meant"):
            check(folder / "model.so", sha256=meant)
        with pytest.raises(UnverifiedArtifactError, match="is not the file that was meant"):
            check(folder / "model.so", sha256=meant, key=folder / "theirs.pub")


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        (None, "is not signed: cannot read .*No such file.*`tvmfuse sign` makes a signature"),
        (b"", "is no signature of ed25519, which has 64 bytes"),
        (bytes(63), "is no signature of ed25519"),
        (bytes(65), "is no signature of ed25519"),
        (bytes(64), "was not signed by this key"),
    ],
    ids=["none", "empty", "short", "long", "zeros"],
)
@pytest.mark.usefixtures("unloaded")
def test_a_signature_that_is_none_is_refused(folder: Path, signature: Any, words: str) -> None:
    (folder / "model.so.sig").unlink()
    if signature is not None:
        (folder / "model.so.sig").write_bytes(signature)
    for check in (verify, load):
        with pytest.raises(UnverifiedArtifactError, match=words):
            check(folder / "model.so", key=folder / "ours.pub")


@pytest.mark.parametrize("name", ["ours.pem", "rsa.pub", "none.pem", "model.so"])
def test_what_is_no_public_key_is_refused(signed: Path, name: str) -> None:
    for check in (verify, load):
        with pytest.raises(ConfigurationError, match=f"{name}: expected an ed25519 public key in"):
            check(signed / "model.so", key=signed / name)


@pytest.mark.parametrize("name", ["ours.pub", "rsa.pem", "locked.pem", "none.pem"])
def test_what_is_no_private_key_signs_nothing(signed: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{name}: expected an ed25519 private key in PEM"):
        sign(signed / "model.so", signed / name, tmp_path / "sig")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("sha256", ["", "ab", "g" * 64, "a" * 63, "a" * 65, "sha256:" + "a" * 64])
def test_a_digest_has_64_digits(signed: Path, sha256: str) -> None:
    for check in (verify, load):
        with pytest.raises(ConfigurationError, match="expected a SHA-256 of 64 hexadecimal digits"):
            check(signed / "model.so", sha256=sha256)


def test_nothing_to_compare_with_is_no_verification(signed: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to compare with"):
        verify(signed / "model.so")


def test_files_that_cannot_be_read_are_named(signed: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(ArtifactError, match=r"cannot read .*none.so: No such file"):
        verify(tmp_path / "none.so", sha256="a" * 64)
    with pytest.raises(ArtifactError, match=r"cannot read .*none.pub: No such file"):
        verify(signed / "model.so", key=tmp_path / "none.pub")
    with pytest.raises(ArtifactError, match="empty is empty"):
        sign(tmp_path / "empty", signed / "ours.pem")
    with pytest.raises(ArtifactError, match="it is a folder, and no file"):
        sign(tmp_path, signed / "ours.pem")


def test_without_the_extra_a_digest_still_serves(signed: Path) -> None:
    code = (
        "import tvmfuse; from tvmfuse.format.signature import sign, verify\n"
        "sys.modules['cryptography'] = None; model, pub, pem, digest = sys.argv[1:]\n"
        "print(verify(model, sha256=digest) == digest, {'tvm', 'tvm_ffi', 'numpy'} & {*sys.modules})\n"
        "for call in (lambda: verify(model, key=pub), lambda: sign(model, pem, pem + '.sig')):\n"
        "    try: call()\n"
        "    except tvmfuse.errors.ConfigurationError as error: print(error)\n"
    )
    path = signed / "model.so"
    said = succeeds(python(code, path, signed / "ours.pub", signed / "ours.pem", digest(path)))
    assert said.splitlines() == [
        "True set()",
        *["signatures require cryptography: python -m pip install 'tvmfuse[sign]'"] * 2,
    ]


# The command line.


def test_signing_and_verifying(folder: Path) -> None:
    path, found = folder / "model.so", digest(folder / "model.so")
    done = tvmfuse_cli("sign", path, "--key", folder / "ours.pem", "-o", folder / "s", "--json")
    assert json.loads(done.stdout) == {"model": str(path), "signature": str(folder / "s")}
    done = tvmfuse_cli("verify", path, "--key", folder / "ours.pub", "--signature", folder / "s")
    assert (done.exit_code, done.stdout.split()[1:4]) == (0, ["verified,", "SHA-256", f"{found},"])
    done = tvmfuse_cli("verify", path, "--sha256", found, "--json")
    assert json.loads(done.stdout) == {"model": str(path), "sha256": found, "signed_by": None}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--key", "theirs.pub"), 1, "model.so was not signed by this key as it is now"),
        (("--sha256", "a" * 64), 1, "model.so is not the file that was meant"),
        (("--key", "ours.pub", "--signature", "none.pem"), 1, "is no signature of ed25519"),
        (("--sha256", "abc"), 2, "expected a SHA-256 of 64 hexadecimal digits"),
        (("--key", "ours.pem"), 2, "expected an ed25519 public key in PEM"),
        ((), 2, "nothing to compare with: give --sha256, --key, or both"),
        (("--signature", "model.so.sig", "--sha256", "a" * 64), 2, "--signature takes --key"),
    ],
)
def test_exit_codes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, code: int, words: str
) -> None:
    monkeypatch.chdir(folder)
    done = tvmfuse_cli("verify", "model.so", *arguments)
    assert done.exit_code == code
    assert words in done.stderr
    assert done.stdout == ""


def test_a_signature_does_not_overwrite_the_model_or_the_key(folder: Path) -> None:
    for place in ("model.so", "ours.pem"):
        before = (folder / place).read_bytes()
        done = tvmfuse_cli(
            "sign", folder / "model.so", "--key", folder / "ours.pem", "-o", folder / place
        )
        assert done.exit_code == 2
        assert "would overwrite" in done.stderr
        assert (folder / place).read_bytes() == before


def test_verifying_loads_nothing(signed: Path) -> None:
    code = (
        "from tvmfuse.cli import main\n"
        "main(['verify', sys.argv[1], '--key', sys.argv[2]], standalone_mode=False)\n"
        "maps = open('/proc/self/maps').read()\n"
        "print({'tvm', 'tvm_ffi', 'numpy'} & {*sys.modules}, 'model.so' in maps)"
    )
    said = succeeds(python(code, signed / "model.so", signed / "ours.pub"))
    assert said.splitlines()[-1] == "set() False"
