"""The authority over running matches: decides by the rules, commits in one step, tells what happened."""
