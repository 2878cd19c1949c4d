"""Files that go by a URL, ``s3://bucket/net.onnx``: fsspec reads and writes them (an extra)."""

from __future__ import annotations

from typing import Any

from tvmfuse.errors import ConfigurationError, first_line


def is_url(place: object) -> bool:
    """Whether something is a URL, and no path.

    >>> is_url("s3://bucket/net.onnx"), is_url("models/net.onnx")
    (True, False)
    """
    return isinstance(place, str) and "://" in place


def file_system(url: str, **options: Any) -> tuple[Any, str]:
    """Return fsspec's file system of a URL, and the path there.

    Args:
        url: The URL.
        options: Of the file system.

    Raises:
        ConfigurationError: fsspec, or what it takes for this kind of URL, is not installed; or it
            does not know the kind.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ConfigurationError(
            f"{url} takes fsspec: python -m pip install 'tvmfuse[fsspec]', or 'tvmfuse[s3]' for S3"
        ) from error
    try:
        found: tuple[Any, str] = url_to_fs(url, **options)
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"{url}: fsspec cannot open it: {first_line(error)}") from error
    return found
