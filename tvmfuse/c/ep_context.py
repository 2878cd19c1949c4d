"""Compiled models for onnxruntime: an ONNX model of one EPContext node, `save_ep_context`.

onnxruntime gives the node to the plug-in that `tvmfuse.c.plugin` builds. Its attributes are those
of https://onnxruntime.ai/docs/execution-providers/EP-Context-Design.html.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import onnx
from onnx import helper

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.c.runnable import read_runnable
from tvmfuse.errors import ArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.frontend.onnx.partition.value_types import type_of
from tvmfuse.manifest import Manifest
from tvmfuse.narrow_types import STORAGE

SOURCE: Final = "tvmfuse"
"""By which the plug-in knows its nodes."""
DOMAIN: Final = "com.microsoft"
IR_VERSION: Final = 10
"""Of the model's format: onnxruntime 1.24 and later read it."""
OPSET: Final = 21
"""Of ONNX's own operators, of which there is none."""
MOST_BYTES: Final = 2**31 - 2**20
"""What fits into an ONNX model, less what is beside the compiled file in it."""


def save_ep_context(
    artifact: Artifact, output: str | os.PathLike[str], *, embed: bool = False
) -> tuple[Path, ...]:
    """Write a compiled model so that onnxruntime runs it as one node; return what was written.

    Args:
        artifact: A compiled model.
        output: The ONNX model to write, which has the model's inputs and outputs.
        embed: Put the compiled file into the ONNX model. Otherwise it is written beside it, as
            ``NAME_tvmfuse.so`` for ``NAME.onnx``: both have to stay in one folder.

    Raises:
        ArtifactError: A file cannot be written, or is too large for an ONNX model.
        IncompatibleArtifactError: C cannot run the model, and why.
    """
    target = Path(output)
    with temporary_folder() as scratch:
        artifact.save(scratch / "model.so")
        data, manifest = read_runnable(scratch / "model.so")
    beside = target.with_name(f"{target.stem}_tvmfuse.so")
    if embed and len(data) > MOST_BYTES:
        raise ArtifactError(
            f"cannot write {target}: an ONNX model holds 2 GiB, and the compiled file has "
            f"{len(data)} bytes; write it beside the model, without embed"
        )
    context = data if embed else os.fsencode(beside.name)
    model = _model(manifest, context, name=f"{SOURCE}_{target.stem}", embed=embed)
    if not embed:
        with atomic_write(beside) as file:
            file.write(data)
    with atomic_write(target) as file:
        file.write(model.SerializeToString())
    return (target,) if embed else (target, beside)


def _check(manifest: Manifest) -> None:
    """Refuse inputs and outputs that one node cannot have."""
    for spec in (*manifest.inputs, *manifest.outputs):
        if spec.dtype in STORAGE:
            raise IncompatibleArtifactError(
                f"{spec}: onnxruntime packs such numbers in another way; convert them to bytes or "
                "floats at the model's border"
            )
    inputs = {spec.name for spec in manifest.inputs}
    for spec in manifest.outputs:
        if spec.name in inputs:
            raise IncompatibleArtifactError(
                f"{spec}: it is an input and an output, which a node cannot have under one name; "
                "give the output another one, by an Identity"
            )


def _model(manifest: Manifest, context: bytes, *, name: str, embed: bool) -> onnx.ModelProto:
    _check(manifest)
    node = helper.make_node(
        "EPContext",
        [spec.name for spec in manifest.inputs],
        [spec.name for spec in manifest.outputs],
        name=name,
        domain=DOMAIN,
        main_context=1,
        embed_mode=int(embed),
        ep_cache_context=context,
        ep_sdk_version=manifest.versions.get("tvmfuse", ""),
        partition_name=manifest.name,
        source=SOURCE,
    )
    inputs, outputs = (
        [helper.make_value_info(spec.name, type_of(spec)) for spec in specs]
        for specs in (manifest.inputs, manifest.outputs)
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)]
    graph = helper.make_graph([node], manifest.name or SOURCE, inputs, outputs)
    model = helper.make_model(
        graph, producer_name=SOURCE, opset_imports=opsets, ir_version=IR_VERSION
    )
    helper.set_model_props(model, dict(manifest.metadata.get("custom", {})))
    return model
