/** A text that is typed in one window, and possibly in others of the same desk. */
export interface WindowText {
  /**
   * The text that was typed here and that the engine does not have yet; null if the user took it
   * back.
   */
  readonly unstored?: string | null;
  /** The text that was typed here last. It would be lost if another window's text replaced it. */
  readonly own: string | null;
  /**
   * A later text of the engine, which is not shown while a later key of this window may replace it.
   */
  readonly withheld?: Arrival;
}

/** A text of the engine. Events bring the texts in the order in which they were stored. */
export interface Arrival {
  readonly text: string | null;
  /** Whether the text was typed in this window. */
  readonly isOwn: boolean;
}

export interface Arrived {
  readonly after: WindowText;
  /** The text that the field shows from now on. If it is absent, the field stays unchanged. */
  readonly shown?: { readonly text: string | null };
  /** A text of this window that the text of another window has replaced. */
  readonly lost?: string;
}

export const untyped: WindowText = { own: null };

export function typed(before: WindowText, text: string | null): WindowText {
  return { ...before, unstored: text, own: text };
}

/**
 * Handles a text that arrives from the engine. It is shown, unless this window has typed text that
 * the engine does not have yet.
 */
export function arrived(before: WindowText, arrival: Arrival): Arrived {
  if (before.unstored !== undefined) return { after: { ...before, withheld: arrival } };
  const shown = { text: arrival.text };
  if (arrival.isOwn) return { after: { own: arrival.text }, shown };
  if (!isLost(before.own, arrival.text)) {
    return { after: { own: arrival.text === null ? null : before.own }, shown };
  }
  return { after: untyped, shown, lost: before.own ?? '' };
}

/**
 * Handles the engine's answer to the call that stores `text`. The engine then has this text, or the
 * text of a later key in another window.
 */
export function stored(before: WindowText, text: string | null): Arrived {
  const { unstored, own, withheld } = before;
  // A later key was typed in the meantime, and is stored by a separate call.
  if (unstored !== text) return { after: before };
  const after = { own };
  // The withheld text is an earlier one of this window. The event of the text that stays is still
  // to come.
  if (!withheld || withheld.isOwn) return { after };
  return arrived(after, withheld);
}

/**
 * Whether a text is lost. Text that is queued or taken back is not lost, and neither is text that
 * the other window continues.
 */
function isLost(own: string | null, text: string | null): boolean {
  const words = own?.trim() ?? '';
  return words !== '' && text !== null && !text.includes(words);
}
