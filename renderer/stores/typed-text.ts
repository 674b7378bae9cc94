/** A text that is typed in one window, and perhaps in others of the same desk. */
export interface WindowText {
  /** Typed here, and not stored by the engine as it is; null if the user took it back. */
  readonly unstored?: string | null;
  /** What was typed here last: it would be lost under another window's text. */
  readonly own: string | null;
  /** What the engine has since, and what is not shown while a later key of this window may win. */
  readonly withheld?: Arrival;
}

/** A text as the engine has it; events bring them in the order in which they were stored. */
export interface Arrival {
  readonly text: string | null;
  /** It was typed in this window. */
  readonly isOwn: boolean;
}

export interface Arrived {
  readonly after: WindowText;
  /** The field shows this text from now on; absent if it stays. */
  readonly shown?: { readonly text: string | null };
  /** A text of this window that another window's has replaced. */
  readonly lost?: string;
}

export const untyped: WindowText = { own: null };

export function typed(before: WindowText, text: string | null): WindowText {
  return { ...before, unstored: text, own: text };
}

/** What the engine has is shown, unless something is typed here that it does not have yet. */
export function arrived(before: WindowText, arrival: Arrival): Arrived {
  if (before.unstored !== undefined) return { after: { ...before, withheld: arrival } };
  const shown = { text: arrival.text };
  if (arrival.isOwn) return { after: { own: arrival.text }, shown };
  if (!isLost(before.own, arrival.text)) {
    return { after: { own: arrival.text === null ? null : before.own }, shown };
  }
  return { after: untyped, shown, lost: before.own ?? '' };
}

/** The engine answered the call that stores `text`: it has it, or a later key of another window. */
export function stored(before: WindowText, text: string | null): Arrived {
  const { unstored, own, withheld } = before;
  // A later key came in the meantime, and is stored by its own call.
  if (unstored !== text) return { after: before };
  const after = { own };
  // Of an earlier text of this window. An event of the one that stays is still to come.
  if (!withheld || withheld.isOwn) return { after };
  return arrived(after, withheld);
}

/** Text that is queued or taken back is not lost, nor is one that goes on in the other window. */
function isLost(own: string | null, text: string | null): boolean {
  const words = own?.trim() ?? '';
  return words !== '' && text !== null && !text.includes(words);
}
