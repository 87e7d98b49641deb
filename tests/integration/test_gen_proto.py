"""The stub generator: stubs that import, made again only when something has changed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scripts.gen_proto import generate, rehome

TYPES = """
syntax = "proto3";
package tandemfog.shape.v1;
message Point { int32 x = 1; }
"""
SERVICE = """
syntax = "proto3";
package tandemfog.draw.v1;
import "tandemfog/shape/v1/shape.proto";
service DrawService { rpc Draw(DrawRequest) returns (DrawResponse); }
message DrawRequest { tandemfog.shape.v1.Point at = 1; }
message DrawResponse {}
"""


@pytest.fixture
def proto(tmp_path):
    for name, text in (("shape", TYPES), ("draw", SERVICE)):
        folder = tmp_path / "proto" / "tandemfog" / name / "v1"
        folder.mkdir(parents=True)
        (folder / f"{name}.proto").write_text(text)
    return tmp_path / "proto"


def test_stubs_import_one_another_under_gen(proto, tmp_path):
    assert generate(proto, tmp_path / "gen")
    use = "from gen.tandemfog.draw.v1.draw_pb2 import DrawRequest; print(DrawRequest(at={'x': 3}).at.x)"
    done = subprocess.run([sys.executable, "-c", use], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr
    assert "class DrawServiceServicer" in (tmp_path / "gen/tandemfog/draw/v1/draw_pb2_grpc.py").read_text()


def test_stubs_are_made_again_only_when_a_proto_has_changed(proto, tmp_path):
    assert generate(proto, tmp_path / "gen")
    assert not generate(proto, tmp_path / "gen")
    (proto / "tandemfog/shape/v1/shape.proto").write_text(TYPES.replace("int32 x", "int64 x"))
    assert generate(proto, tmp_path / "gen")


def test_a_stub_of_a_proto_that_is_gone_goes_too(proto, tmp_path):
    generate(proto, tmp_path / "gen")
    (proto / "tandemfog/draw/v1/draw.proto").unlink()
    assert generate(proto, tmp_path / "gen")
    assert not (tmp_path / "gen/tandemfog/draw").exists()


def test_broken_protos_leave_the_old_stubs(proto, tmp_path):
    generate(proto, tmp_path / "gen")
    (proto / "tandemfog/draw/v1/draw.proto").write_text("message {")
    with pytest.raises(SystemExit, match="protoc"):
        generate(proto, tmp_path / "gen")
    assert (tmp_path / "gen/tandemfog/draw/v1/draw_pb2.py").exists()


def test_only_imports_are_rewritten():
    stub = 'from tandemfog.shape.v1 import shape_pb2\nNAME = "tandemfog.shape.v1.Point"\n'
    assert rehome(stub) == 'from gen.tandemfog.shape.v1 import shape_pb2\nNAME = "tandemfog.shape.v1.Point"\n'
