/**
 * Where something that was thrown came from, for a log: the error's name, code and stack frames.
 * Frames keep the last folder of a path only; a desk that lies in a person's home would name them.
 */
export function originOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.replace(/(\(|at )[^()]*?([^\\/()]+[\\/][^\\/()]+)(?=\)?$)/, '$1$2'));
  const code = 'code' in error ? String(error.code) : undefined;
  return { name: error.name, code, frames };
}
