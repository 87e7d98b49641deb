"""Makes gen/, the Python stubs of proto/, for make, the launcher, Docker and CI alike.

`python scripts/gen_proto.py` does nothing when the proto files and the generators are the same as last
time. A stub is imported as `gen.tandemfog.<package>.v1.<file>_pb2` (messages) and `..._pb2_grpc` (services);
stubs pin the protobuf that made them, so they are made where they run and never committed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
GENERATORS = ("grpcio-tools", "protobuf", "mypy-protobuf")

# The generators write imports from the proto root; the stubs live one package deeper.
IMPORT = re.compile(r"^(\s*)(from|import) tandemfog\b", re.MULTILINE)
DOTTED = re.compile(r"(?<![\w.\"'/])tandemfog\.(?=[\w.]+_pb2)")


def digest(files: list[Path], proto: Path) -> str:
    """What the stubs depend on: the proto files, the generators' versions and this script."""
    summary = hashlib.sha256(Path(__file__).read_bytes())
    for name in GENERATORS:
        summary.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for path in files:
        summary.update(f"{path.relative_to(proto)}\n".encode())
        summary.update(path.read_bytes())
    return summary.hexdigest()


def rehome(text: str) -> str:
    """Rewrites one stub's references to other stubs, so that they live under the package gen."""
    return DOTTED.sub("gen.tandemfog.", IMPORT.sub(r"\1\2 gen.tandemfog", text))


def generate(proto: Path, output: Path) -> bool:
    """Writes the stubs of the folder `proto` into `output`; False when they were up to date."""
    files = sorted(proto.rglob("*.proto"))
    if not files:
        sys.exit(f"No proto files under {proto}.")
    stamp = output / ".digest"
    wanted = digest(files, proto)
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".gen-") as folder:
        made = Path(folder) / "gen"
        made.mkdir()
        command = [
            "protoc",
            f"-I{proto}",
            f"-I{Path(protoc.__file__).parent / '_proto'}",
            f"--python_out={made}",
            f"--grpc_python_out={made}",
            f"--mypy_out=quiet:{made}",
            f"--mypy_grpc_out=quiet,only_async:{made}",
            *(str(path) for path in files),
        ]
        if protoc.main(command) != 0:
            sys.exit("protoc refused the proto files; the error is above.")
        for path in [*made.rglob("*.py"), *made.rglob("*.pyi")]:
            path.write_text(rehome(path.read_text()))
        for path in [made, *(folder for folder in made.rglob("*") if folder.is_dir())]:
            (path / "__init__.py").write_text("")
        (made / ".digest").write_text(wanted)
        shutil.rmtree(output, ignore_errors=True)
        made.rename(output)
    return True


def main() -> None:
    if generate(ROOT / "proto", ROOT / "gen"):
        print("Stubs written to gen/.", file=sys.stderr)


if __name__ == "__main__":
    main()
