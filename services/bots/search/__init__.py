"""Search of one board, compiled when it can be; the same files run as they are (see ``libs``)."""

import libs  # noqa: F401 - chooses the compiled files, before the modules of this package are looked for
