"""Libraries with a job of their own; importable as ``libs.<job>``."""
