/** The program of the worker as it ships; the package declares no types for it. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  export const WorkerMessageHandler: { initializeFromPort(port: object): void };
}
