import type { TypedBy } from '#shared/desk/cases/typed-text.ts';

/**
 * Decides which text has the later key if it is typed in two windows. It has a memory only while
 * the engine runs.
 */
export class LastKeys {
  readonly #now: () => number;
  readonly #last = new Map<string, { readonly window: string; readonly atMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Notes the key of a text that is to be stored.
   * @returns false if another window's key was later; then the text must not be stored
   */
  take(text: string, by: TypedBy | undefined): boolean {
    if (!by) return true;
    const now = this.#now();
    const atMs = now - by.agoMs;
    const last = this.#last.get(text);
    const isLate =
      last !== undefined &&
      last.window !== by.window &&
      last.atMs > atMs &&
      // If the clock was set back since, the times cannot be compared.
      last.atMs <= now;
    if (!isLate) this.#last.set(text, { window: by.window, atMs });
    return !isLate;
  }
}
