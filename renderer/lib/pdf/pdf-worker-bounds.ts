import { boundReader, fileWorkerName, listenForLeftOut, type WorkerScope } from './pdf-bounds.ts';

// The types describe only the scope of a window.
const scope = self as unknown as WorkerScope;
listenForLeftOut(boundReader(scope, { isForFiles: self.name === fileWorkerName }));
