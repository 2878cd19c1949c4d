"""What the tests of layouts share: they are asked for on each machine, whichever this one is."""

import pytest


@pytest.fixture(params=["avx2", "avx512"])
def target(request: pytest.FixtureRequest) -> str:
    """Return the name of what layouts are to suit."""
    return str(request.param)
