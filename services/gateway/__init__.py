"""The edge: HTTP and one websocket for each browser. It knows no rules, no store and no raw event."""
