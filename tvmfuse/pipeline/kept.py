"""Compiling what was imported, or taking it whole from the kernel cache.

No pass sees the numbers of parameters that may change, so that the same code comes of the same
structure, whatever they are. Kernels are kept anyway; with the artifact the passes are, too, and
the link.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import tvm

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.kept import MOST, artifact_of, entry_of
from tvmfuse.build.kernels.cache import kernel_cache
from tvmfuse.build.kernels.key import compiling_for
from tvmfuse.build.weights import detach
from tvmfuse.errors import CompilationError
from tvmfuse.format.faults import MalformedError
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.live import recipe_of
from tvmfuse.out_of_memory import is_out_of_memory, memory_in_words
from tvmfuse.passes import plugged
from tvmfuse.pipeline.compile import compile_model
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.sources import versions
from tvmfuse.recipe_json import CannotBeWrittenError, to_json
from tvmfuse.recipes import NotFiniteError, Parameter, parameters_of
from tvmfuse.schedules.plan_json import to_json as plan_to_json


def compile_imported(model: ImportedModel, settings: CompileSettings) -> Artifact:
    """Compile a model, or take the artifact of one that differs in its parameters' numbers only.

    What another process kept is as good as its kernels are, and is taken under the same conditions.
    Only what was compiled without a failure is kept, so that each process warns of those.

    Raises:
        CompilationError: A pass or schedule failed: a defect of tvmfuse.
        OutOfMemoryError: This machine's memory ran out.
    """
    with COMPILING, memory_in_words("the compilation of the model"):
        cache = kernel_cache(cache=settings.cache)
        # Whoever has none was told.
        settings = replace(settings, cache=False if cache is None else cache)
        named = None if cache is None else _named(model, settings)
        if cache is None or named is None:
            return compile_model(model, settings)
        key, parameters = named
        if (entry := cache.get(key)) is not None:
            try:
                return replace(artifact_of(entry, parameters), key=key)
            except NotFiniteError:
                return compile_model(model, settings)
            except MalformedError as error:
                cache.skipped(key, str(error))
        schedules = replace(settings.schedules, strict=True)
        try:
            artifact = compile_model(model, replace(settings, strict=True, schedules=schedules))
        except CompilationError as error:
            if settings.strict or is_out_of_memory(error):
                raise
            return compile_model(model, settings)
        if (made := entry_of(artifact)) is None:
            return artifact
        cache.put({key: made})
        return replace(artifact, key=key)


def _named(
    model: ImportedModel, settings: CompileSettings
) -> tuple[str, Mapping[str, Parameter]] | None:
    """Return the key of a model's artifact, and the parameters that it follows from.

    None for one that is not kept: it is for a GPU, has many weights that are no parameters, or
    some that follow in a way that cannot be written; or a pass of the caller's has no source.
    """
    if settings.target.kind.name != "llvm" or model.defaults:
        return None
    if (outside := plugged.sources(settings.selection.own)) is None:
        return None
    stripped, weights = detach(model.module, smallest=0)
    recipes = [recipe_of(weight) for weight in weights]
    fixed = [w for w, recipe in zip(weights, recipes, strict=True) if recipe is None]
    if sum(weight.nbytes for weight in fixed) > MOST:
        return None
    following = [recipe for recipe in recipes if recipe is not None]
    parameters = {n: p for recipe in following for n, p in parameters_of(recipe).items()}
    try:
        said = [
            compiling_for(settings.target), versions(), outside, _chosen(settings), _facts(model),
            tvm.ir.save_json(stripped), [*map(_type_of, weights)],
            [recipe is None for recipe in recipes],
            [[name, _type_of(parameter.array)] for name, parameter in parameters.items()],
            to_json(following),
        ]  # fmt: skip
    except CannotBeWrittenError:
        return None
    digest = hashlib.sha256(json.dumps(said).encode())
    for weight in fixed:
        digest.update(np.ascontiguousarray(weight).reshape(-1).view(np.uint8).data)
    return digest.hexdigest(), parameters


def _chosen(settings: CompileSettings) -> list[Any]:
    """Return what of the settings an artifact depends on, as JSON's types."""
    selection, schedules = settings.selection, settings.schedules
    return [
        int(selection.level), sorted(selection.disabled), sorted(selection.enabled),
        sorted(selection.only), sorted(selection.apart), sorted(schedules.disabled_steps),
        *(
            {name: plan_to_json(plan) for name, plan in sorted(plans.items())}
            for plans in (schedules.plans, schedules.tuned)
        ),
        [[astuple(layer), m] for layer, m in selection.tiles],
        settings.direct, [dict(sizes) for sizes in settings.specialize],
    ]  # fmt: skip


def _facts(model: ImportedModel) -> list[Any]:
    specs = [astuple(spec) for spec in (*model.inputs, *model.outputs)]
    return [len(model.inputs), specs, model.opset, model.nodes, dict(model.metadata)]


def _type_of(array: np.ndarray) -> list[Any]:
    return [array.dtype.name, array.shape]
