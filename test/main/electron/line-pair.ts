import { type ByteLine, createByteLine } from '#main/electron/byte-line.ts';
import { MessageChannelMainStandIn } from './ports-stand-in.ts';

/** Both ends of one line, over real ports. */
export function linePair(): { near: ByteLine; far: ByteLine } {
  const { port1, port2 } = new MessageChannelMainStandIn();
  return { near: createByteLine(port1), far: createByteLine(port2) };
}
