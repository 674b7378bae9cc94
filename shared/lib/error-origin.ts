/** What may be logged of an error: not its message, which may quote a case. */
export interface ErrorOrigin {
  readonly name: string;
  readonly code?: string;
  /** The nearest frames of its stack. */
  readonly frames: readonly string[];
}

const framesMax = 8;

/**
 * Where an unexpected error came from. Frames keep the last folder of a path only: a home folder bears
 * the user's name.
 */
export function originOf(error: unknown): ErrorOrigin {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
    .map((line) => line.replace(/(\(|at )[^()]*?([^\\/()]+[\\/][^\\/()]+)(?=\)?$)/, '$1$2'));
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { name: error.name, ...code, frames };
}
