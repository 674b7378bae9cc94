import type { TypedBy } from '#shared/desk/typed-text.ts';

/** Which text has the later key, if one is typed in two windows. For as long as the engine runs. */
export class LastKeys {
  readonly #now: () => number;
  readonly #last = new Map<string, { readonly window: string; readonly atMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Notes the key of a text that is to be stored.
   * @returns false if another window's key was later: the text must not be stored then
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
      // The clock was set back since: nothing can be compared.
      last.atMs <= now;
    if (!isLate) this.#last.set(text, { window: by.window, atMs });
    return !isLate;
  }
}
