"""Raw events in, per-viewer frames out. It owns nothing; the secrecy of fog rests on `view` and `boards`."""
