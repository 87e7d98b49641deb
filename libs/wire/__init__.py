"""Rules values <-> protobuf, nothing else.

``terms`` knows only the shared terms and may be used everywhere; ``raw`` speaks of true positions and belongs
to game and visibility alone.
"""
