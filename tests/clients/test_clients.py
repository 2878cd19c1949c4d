"""Packages that run onnxruntime inside find the same with tvmfuse in its place."""

import pytest
from clients.clients import (
    INSTALL,
    PROGRAMS,
    differences,
    missing,
    with_onnxruntime,
    with_tvmfuse,
)

pytestmark = pytest.mark.clients


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    assert missing() == [], f"install them: {INSTALL}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_client_finds_the_same(name: str) -> None:
    theirs = with_onnxruntime(name)
    assert theirs.words == ""
    ours = with_tvmfuse(name)
    assert ours.words == ""
    assert list(differences(ours.found, theirs.found)) == []
