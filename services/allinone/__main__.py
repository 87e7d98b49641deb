"""`python -m services.allinone`: the whole of tandemfog on this machine. Ctrl-C stops it; matches survive."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from libs.runtime.logs import configure_logging
from libs.runtime.secrets import SecretError
from libs.runtime.settings import SettingsError
from services.allinone.child import StartError
from services.allinone.launcher import LaunchError, launch
from services.allinone.settings import ROOT, LauncherSettings
from services.allinone.store import StoreError


def main() -> None:
    try:
        settings = LauncherSettings.from_environment()
    except SettingsError as error:
        sys.exit(f"tandemfog cannot start:\n{error}")
    stubs = subprocess.run([sys.executable, str(ROOT / "scripts" / "gen_proto.py")], check=False)
    if stubs.returncode:
        sys.exit("tandemfog cannot start: the gRPC stubs could not be made.")
    if not (ROOT / "web" / "dist" / "index.html").exists():
        print("The page is not built, so there is nothing to see at the URL yet: make web", file=sys.stderr)
    logs = settings.var / "log"
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (logs / "launcher.log").open("a") as stream:
        configure_logging("allinone", settings.log_level, stream)
        try:
            asyncio.run(launch(settings))
        except (LaunchError, SecretError, StartError, StoreError) as error:
            sys.exit(f"tandemfog cannot start: {error}")


if __name__ == "__main__":
    main()
