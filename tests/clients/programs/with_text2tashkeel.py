"""text2tashkeel: Arabic text with its vowels, by each model that the package carries."""

from samples import found
from text2tashkeel import BUNDLED, Diacritizer

TEXT = "بسم الله الرحمن الرحيم"
found(**{name: Diacritizer(name).diacritize(TEXT) for name in BUNDLED})
