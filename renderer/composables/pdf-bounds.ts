import { documentMaxBytes } from '#shared/api/limits.ts';

/** Name of a worker that inflates files which a PDF embeds. */
export const fileWorkerName = 'pdf-file-worker';

/** pdf.js doubles its buffers: this is the first size that takes the largest document. */
const bufferMaxBytes = 64 * 1024 * 1024;

/** What the error says if a file inflates to more; pdf.js passes on no more than the words. */
export const tooManyBytes = `more than ${String(documentMaxBytes)} bytes`;

/**
 * Refuses buffers that are larger than any file that can be sent: a few kilobytes may inflate to many
 * gigabytes, and pdf.js knows no limit.
 * @param scope of the worker, before pdf.js runs in it
 */
export function boundBuffers(scope: Pick<typeof globalThis, 'Uint8Array'>): void {
  scope.Uint8Array = new Proxy(scope.Uint8Array, {
    construct(target, given: readonly unknown[], newTarget) {
      if (typeof given[0] === 'number' && given[0] > bufferMaxBytes)
        throw new RangeError(tooManyBytes);
      return Reflect.construct(target, given, newTarget) as Uint8Array;
    },
  });
}

/** What the worker posts if it leaves a picture out; pdf.js takes no notice of it. */
export const leftOutMessage = { leftOut: 'picture' } as const;

export const isLeftOutMessage = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'leftOut' in message;

/** pdf.js leaves a picture with too many pixels out, and tells it to the console alone. */
export function listenForLeftOut(onLeftOut: () => void): void {
  /* eslint-disable no-console -- nothing is written: this is where pdf.js tells it */
  const write = console.warn;
  console.warn = (...told: unknown[]) => {
    if (String(told[0]).includes('Image exceeded maximum allowed size')) onLeftOut();
    else write(...told);
  };
  /* eslint-enable no-console */
}
