"""What every test can use."""

pytest_plugins = ["tests.kit.valkey"]
