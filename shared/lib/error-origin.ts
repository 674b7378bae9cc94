/**
 * The parts of an error that may be logged. The message is not one of them, because it may quote a
 * case.
 */
export interface ErrorOrigin {
  readonly name: string;
  readonly code?: string;
  /** The nearest frames of the stack. */
  readonly frames: readonly string[];
}

const framesMax = 8;

/** Shortens the path in a frame to its last folder. */
function withoutFolders(frame: string): string {
  const start = frame.includes('(') ? frame.indexOf('(') + 1 : '    at '.length;
  return (
    frame.slice(0, start) +
    frame
      .slice(start)
      .split(/([\\/])/)
      .slice(-3)
      .join('')
  );
}

/**
 * The origin of an unexpected error. Frames contain only the last folder of a path, because the
 * path of a home folder contains the user's name.
 */
export function originOf(error: unknown): ErrorOrigin {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
    .map(withoutFolders);
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { name: error.name, ...code, frames };
}
