import { boundReader, fileWorkerName, listenForLeftOut, type WorkerScope } from './pdf-bounds.ts';

// The types know the scope of the window alone.
const scope = self as unknown as WorkerScope;
const { onLeftOut } = boundReader(scope, { isForFiles: self.name === fileWorkerName });
listenForLeftOut(onLeftOut);
