"""ddddocr: the letters of a captcha, and where they stand."""

import io

import ddddocr
from samples import found, picture


def png(words: str) -> bytes:
    held = io.BytesIO()
    picture(words, (160, 60), 36).save(held, "PNG")
    return held.getvalue()


reader = ddddocr.DdddOcr(show_ad=False)
old = ddddocr.DdddOcr(show_ad=False, old=True)
places = ddddocr.DdddOcr(det=True, ocr=False, show_ad=False)
found(
    texts=[reader.classification(png(words)) for words in ("a7kQ", "3942", "xyz")],
    old=[old.classification(png(words)) for words in ("a7kQ", "3942")],
    boxes=places.detection(png("7 K")),
)
