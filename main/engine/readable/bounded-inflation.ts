import { pdfStreamMaxBytes } from '#shared/lib/pdf-options.ts';

/**
 * Reads a PDF in this thread, in which nothing else may run meanwhile, and refuses each stream that
 * unpacks to more than the viewer takes. Readers of PDFs have no limit of their own, catch errors,
 * and count nothing: a kilobyte inflates to gigabytes. The limit of the thread's memory is looked at
 * from time to time only, so alone it would give another answer on another machine.
 * @returns what was read, and whether a stream was refused
 */
export async function withBoundedBuffers<Read>(
  read: () => Promise<Read>,
): Promise<{ readonly read: Read; readonly isOver: boolean }> {
  const { Uint8Array: whole, DecompressionStream: inflater } = globalThis;
  let isOver = false;
  function refusal(): RangeError {
    isOver = true;
    return new RangeError(`more than ${String(pdfStreamMaxBytes)} bytes`);
  }
  const bounded = new Proxy(whole, {
    construct(target, given: readonly unknown[], newTarget) {
      const [length] = given;
      if (typeof length === 'number' && length > pdfStreamMaxBytes) throw refusal();
      return Reflect.construct(target, given, newTarget) as Uint8Array;
    },
  });
  const boundedInflater = new Proxy(inflater, {
    construct(target, [format]: ConstructorParameters<typeof DecompressionStream>) {
      const { readable, writable } = new target(format);
      let bytes = 0;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          bytes += piece.length;
          if (bytes > pdfStreamMaxBytes) throw refusal();
          controller.enqueue(piece);
        },
      });
      return { readable: readable.pipeThrough(counter), writable };
    },
  });
  Object.assign(globalThis, { Uint8Array: bounded, DecompressionStream: boundedInflater });
  try {
    return { read: await read(), isOver };
  } finally {
    Object.assign(globalThis, { Uint8Array: whole, DecompressionStream: inflater });
  }
}
