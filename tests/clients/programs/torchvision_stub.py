"""What ultralytics takes of torchvision: a version, and `nms`, which it has of its own, too.

torchvision's wheels cannot be imported beside the torch that has no CUDA. Import this first.
"""

import importlib.metadata
import sys
from types import ModuleType, SimpleNamespace

installed = importlib.metadata.version
importlib.metadata.version = lambda name: "0.28.0" if name == "torchvision" else installed(name)

from ultralytics.utils.nms import TorchNMS  # noqa: E402

sys.modules["torchvision"] = ModuleType("torchvision")
sys.modules["torchvision"].ops = SimpleNamespace(nms=TorchNMS.nms)
