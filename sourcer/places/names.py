"""How a place name is brought to the one form under which it is looked up."""

import re
import unicodedata

LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ə": "e"}
    | dict.fromkeys("'’‘ʻʼ`´", "")
)
SHORT = {"saint": "st", "mount": "mt", "fort": "ft"}
NO_LETTER = re.compile(r"[\W_]+")


def normalise(name: str) -> str:
    """Fold case, marks, punctuation and the usual abbreviations; other scripts are kept.

    >>> normalise("São Paulo"), normalise("St. Petersburg"), normalise("Xi'an")
    ('sao paulo', 'st petersburg', 'xian')
    >>> normalise("Saint-Denis"), normalise(" 東京 "), normalise("Łódź")
    ('st denis', '東京', 'lodz')
    """
    plain = name.casefold().replace("'", "").replace("`", "")
    if not plain.isascii():
        plain = unmarked(plain)
    words = NO_LETTER.sub(" ", plain).split()
    return " ".join(SHORT.get(word, word) for word in words)


def unmarked(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).translate(LETTERS)
    plain = "".join(letter for letter in letters if unicodedata.category(letter)[0] != "M")
    return unicodedata.normalize("NFC", plain)
