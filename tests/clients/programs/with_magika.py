"""magika: which type of file some bytes are."""

import json as package

from magika import Magika
from samples import found

SAMPLES = {
    "python": b"import os\n\n\ndef main() -> None:\n    print(os.getcwd())\n\n\nmain()\n" * 20,
    "markdown": b"# A title\n\nSome *text* with [a link](http://localhost).\n\n- one\n- two\n" * 20,
    "json": package.dumps({"rows": list(range(400))}).encode(),
    "c": b'#include <stdio.h>\nint main(void) { printf("%d\\n", 3); return 0; }\n' * 20,
    "random": bytes((n * 7919 + n * n) % 256 for n in range(4000)),
}

model = Magika()
results = {name: model.identify_bytes(content) for name, content in SAMPLES.items()}
found(**{name: [r.output.label, r.score] for name, r in results.items()})
