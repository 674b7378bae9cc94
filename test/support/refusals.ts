import { DeskError } from '#shared/desk/contract/errors.ts';

/**
 * Returns the code of the refusal with which an act fails, or null if it succeeds. Any other error
 * is thrown.
 */
export function refusalOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** Does the same for an asynchronous act. */
export async function laterRefusalOf(act: Promise<unknown>): Promise<string | null> {
  return act.then(() => null, codeOf);
}

function codeOf(error: unknown): string {
  if (error instanceof DeskError) return error.code;
  throw error;
}
