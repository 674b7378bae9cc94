// The entry of the worker that reads PDFs. The imports run in this order, so pdf.js comes last.
import './pdf-worker-bounds.ts';
import 'pdfjs-dist/build/pdf.worker.min.mjs';
import { isLoaded } from '../asked-worker.ts';

self.postMessage(isLoaded);
