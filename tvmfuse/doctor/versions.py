"""What is installed, and what of it does not go together.

pip refuses most of it while it installs, and keeps silent when a later command, a copied folder or
a path that comes first brings another version.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tvmfuse.doctor.diagnosis import Check

#: What is shown, and what is asked whether its requirements are met.
PACKAGES: Final = (
    *("tvmfuse", "apache-tvm", "apache-tvm-ffi", "onnx", "numpy", "ml-dtypes"),
    *("torch", "onnxruntime"),
)
#: Extras of tvmfuse whose requirements hold wherever the package is there.
EXTRAS: Final = ("torch", "ort")
#: Modules of which a second copy brings other libraries, by the distribution that they are of.
MODULES: Final = {"tvm": "apache-tvm", "tvm_ffi": "apache-tvm-ffi"}


@dataclass(frozen=True)
class BadPair:
    """Two packages that install beside each other and do not work.

    Attributes:
        one: A requirement that the first meets.
        other: A requirement that the second meets.
        why: What happens, and what to do.
    """

    one: str
    other: str
    why: str


BAD_PAIRS: Final = (
    BadPair(
        "apache-tvm>=0.27,<0.28",
        "apache-tvm-ffi>=0.1.15",
        "serializing a module (save_json) ends in a crash: "
        "pip install 'apache-tvm-ffi>=0.1.14.post0,<0.1.15'",
    ),
)


@dataclass(frozen=True)
class Installed:
    """The packages of an environment.

    Attributes:
        python: Python's version.
        requires_python: What tvmfuse asks of it.
        versions: By distribution.
        requires: The requirements that each distribution states.
        homes: By module of `MODULES`: the folders and distributions that it could be taken from.
    """

    python: str
    requires_python: str
    versions: Mapping[str, str]
    requires: Mapping[str, Sequence[str]]
    homes: Mapping[str, Sequence[str]]

    @classmethod
    def here(cls) -> Installed:
        """Return this environment; nothing of it is imported."""
        # The first on the path is the one that is imported; a half removed one has no name.
        distributions = metadata.distributions(path=sys.path[::-1])
        found = {canonicalize_name(d.name): d for d in distributions if d.name}
        known = {name: d for name in PACKAGES if (d := found.get(canonicalize_name(name)))}
        ours = known.get("tvmfuse")
        return cls(
            platform.python_version(),
            str(ours.metadata["Requires-Python"] or "") if ours else "",
            {name: each.version for name, each in known.items()},
            {name: each.requires or () for name, each in known.items()},
            {module: _homes(module) for module in MODULES},
        )


def check_versions(installed: Installed) -> Iterator[Check]:
    """Yield each package's version, with what does not go together."""
    specifier = SpecifierSet(installed.requires_python)
    fits = specifier.contains(installed.python, prereleases=True)
    problem = "" if fits else f"tvmfuse takes Python {specifier}"
    yield Check("versions", "Python", installed.python, problem)
    problems = {name: [*_unmet(name, installed), *_bad(name, installed)] for name in PACKAGES}
    for name in PACKAGES:
        if name in installed.versions or problems[name]:
            found = installed.versions.get(name, "")
            yield Check("versions", name, found, "; ".join(problems[name]))
    for module, homes in installed.homes.items():
        if len(homes) > 1:
            problem = f"{module} is there more than once, and the first is taken: remove the others"
            yield Check("versions", f"copies of {module}", ", ".join(homes), problem)


def _unmet(name: str, installed: Installed) -> Iterator[str]:
    """Yield the requirements for one package that its version does not meet."""
    version = installed.versions.get(name)
    for owner, requirements in installed.requires.items():
        for requirement in map(Requirement, requirements):
            if canonicalize_name(requirement.name) != name:
                continue
            if not _holds(requirement, owner, there=version is not None):
                continue
            if version is None or not requirement.specifier.contains(version, prereleases=True):
                found = version or "nothing"
                yield (
                    f"{owner} requires {name}{requirement.specifier}, found {found}: "
                    f"pip install '{name}{requirement.specifier}'"
                )


def _holds(requirement: Requirement, owner: str, *, there: bool) -> bool:
    """Whether a requirement counts here: those of extras only for what is there."""
    if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
        return True
    extras = EXTRAS if owner == "tvmfuse" and there else ()
    return any(requirement.marker.evaluate({"extra": extra}) for extra in extras)


def _bad(name: str, installed: Installed) -> Iterator[str]:
    """Yield the known-bad pairs of which a package is the second."""
    for pair in BAD_PAIRS:
        one, other = Requirement(pair.one), Requirement(pair.other)
        if other.name == name and _is(one, installed) and _is(other, installed):
            yield f"with {one.name} {installed.versions[one.name]}, {pair.why}"


def _is(requirement: Requirement, installed: Installed) -> bool:
    version = installed.versions.get(requirement.name)
    return version is not None and requirement.specifier.contains(version, prereleases=True)


def _homes(module: str) -> Sequence[str]:
    """Return the folders of a module on Python's path, and distributions that share a folder."""
    folders = [Path(entry or ".", module) for entry in sys.path]
    homes = [str(f.resolve()) for f in dict.fromkeys(folders) if (f / "__init__.py").is_file()]
    owners = metadata.packages_distributions().get(module, ())
    others = [
        f"the distribution {name}" for name in owners if canonicalize_name(name) != MODULES[module]
    ]
    return tuple(dict.fromkeys([*homes, *others]))
