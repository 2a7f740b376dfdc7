"""Programming languages by the endings of their files."""

from collections.abc import Mapping

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "Python": ("py", "pyi", "pyx"),
    "C++": ("cpp", "cc", "cxx", "hpp", "hh", "h", "inl"),
    "C": ("c", "h"),
    "C#": ("cs",),
    "CUDA": ("cu", "cuh"),
    "Rust": ("rs",),
    "Go": ("go",),
    "Java": ("java",),
    "JavaScript": ("js", "jsx", "mjs"),
    "TypeScript": ("ts", "tsx"),
    "Kotlin": ("kt", "kts"),
    "Swift": ("swift",),
    "Scala": ("scala",),
    "Julia": ("jl",),
    "Ruby": ("rb",),
    "PHP": ("php",),
    "Zig": ("zig",),
    "Lua": ("lua",),
    "Shell": ("sh", "bash"),
    "SQL": ("sql",),
    "R": ("r",),
    "Haskell": ("hs",),
    "OCaml": ("ml", "mli"),
    "Metal": ("metal",),
    "HIP": ("hip",),
    "CMake": ("cmake",),
}
_BY_NAME = {name.lower(): endings for name, endings in ENDINGS.items()}


def is_written_in(path: str, language: str) -> bool:
    """
    >>> is_written_in("rust/src/router.rs", "Rust"), is_written_in("setup.py", "rust")
    (True, False)
    """
    ending = path.rpartition(".")[2].lower()
    return ending in _BY_NAME.get(language.lower(), ())
