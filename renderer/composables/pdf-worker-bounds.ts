import { boundBuffers, fileWorkerName, leftOutMessage, listenForLeftOut } from './pdf-bounds.ts';

listenForLeftOut(() => {
  self.postMessage(leftOutMessage);
});
if (self.name === fileWorkerName) boundBuffers(self);
