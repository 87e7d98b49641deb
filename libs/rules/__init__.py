"""The rules of tandem chess and Fog of War: pure values and decisions, no input, output, time or dice."""
