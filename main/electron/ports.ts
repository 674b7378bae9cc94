import type { MessagePortMain } from 'electron';
import type { Frame, FramePort } from './byte-line.ts';

/** Electron's port as the byte line wants it. Both ends are this program's own processes. */
export function framePort(port: MessagePortMain): FramePort {
  return {
    send: (frame) => port.postMessage(frame),
    onFrame: (listener) => {
      port.on('message', (event) => listener(event.data as Frame));
      port.start();
    },
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  };
}
