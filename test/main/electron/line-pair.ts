import { type MessagePort, MessageChannel } from 'node:worker_threads';
import {
  type ByteLine,
  createByteLine,
  type Frame,
  type FramePort,
} from '#main/electron/byte-line.ts';

function nodeFramePort(port: MessagePort): FramePort {
  return {
    send: (frame) => port.postMessage(frame),
    onFrame: (listener) => port.on('message', (frame: Frame) => listener(frame)),
    onClose: (listener) => port.on('close', listener),
    close: () => port.close(),
  };
}

/** Both ends of one line, over real ports. */
export function linePair(): { near: ByteLine; far: ByteLine } {
  const { port1, port2 } = new MessageChannel();
  return { near: createByteLine(nodeFramePort(port1)), far: createByteLine(nodeFramePort(port2)) };
}
