/** The example frames of docs/protocol.md, and the small changes that tests make to them. */
import protocol from '../../docs/protocol.md?raw';
import type { DeltaFrame, FullFrame, ServerFrame, TableFrame } from '../src/protocol/frames';
import { QUICK_MESSAGES } from '../src/protocol/terms';

export { protocol };

export const examples = [...protocol.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(
  match => JSON.parse(match[1] ?? '') as ServerFrame | { t: string },
);

function example(t: string, index = 0): unknown {
  const found = examples.filter(frame => frame.t === t)[index];
  if (found === undefined) throw new Error(`docs/protocol.md has no example ${index} of ${t}`);
  return structuredClone(found);
}

export const tandemFull = (): FullFrame => example('full', 0) as FullFrame;
export const fogFull = (): FullFrame => example('full', 1) as FullFrame;
export const moveDelta = (): DeltaFrame => example('delta', 0) as DeltaFrame;
export const endDelta = (): DeltaFrame => example('delta', 1) as DeltaFrame;
export const tableFrame = (): TableFrame => example('table') as TableFrame;
export const quickMessages: readonly string[] = QUICK_MESSAGES;
