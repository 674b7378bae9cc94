/**
 * The secret by which this page and the engine recognize each other in the browser shell. The page
 * has it in memory. It is in the tab's storage only from the moment when the page is left until the
 * tab's next page has started, so that it survives a reload.
 */
const storageKey = 'desk-session';
const channelName = 'desk-session';

/**
 * Another window of the same browser answers within this time, also on a busy machine. A page that
 * nobody answers has no desk, so nothing waits for it.
 */
const answerWithinMs = 5_000;

export interface PageSession {
  /** The secret; null if this page was given none and has to be opened from the start again. */
  readonly secret: () => string | null;
  /**
   * Must be called after a proof. The secret of the address is valid once, and both ends know the
   * next one after the first proof.
   */
  readonly onProven: (next: string) => void;
  /** Must be called if a line broke after the page's proof. The engine may know this one alone. */
  readonly onUnanswered: (next: string) => void;
  /**
   * Must be called if the engine does not know the secret.
   * @returns whether it may know another one, which is the secret from now on
   */
  readonly onUnknown: () => boolean;
}

export interface LineState {
  /** Whether the engine has proved who it is, on a line that is open. */
  readonly isProven: () => boolean;
  /** Whether it had, until the page closed the line because it is being left. */
  readonly isLeft: () => boolean;
}

/**
 * Takes the secret from the address (`#token=...`), from the previous page in the tab, or from
 * another window of this desk. The secret of the address is valid once, and is removed from address
 * and history. Only windows of this very address receive the question. A window answers only while
 * the engine has proved who it is, because no other server can have its port then.
 */
export async function openSession(
  page: Window,
  { isProven, isLeft }: LineState,
): Promise<PageSession> {
  let secret = secretOfAddress(page);
  let isFromAddress = secret !== null;
  const stored = takeStored(page);
  secret ??= stored;
  const windows = new BroadcastChannel(channelName);
  secret ??= await askWindows(windows);
  windows.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'asked' && secret !== null && isProven()) windows.postMessage({ session: secret });
  };
  page.addEventListener('pagehide', () => {
    // Chromium closes the lines after this event, Firefox before it.
    if (secret !== null && (isProven() || isLeft())) store(page, secret);
  });
  // A page that the browser restores unchanged still has its secret.
  page.addEventListener('pageshow', ({ persisted }) => void (persisted && takeStored(page)));
  // The link of a new start on the same port changes only the fragment, so the page is loaded
  // again.
  page.addEventListener('hashchange', ({ newURL }) => {
    if (tokenOf(new URL(newURL).hash) === null) return;
    page.history.replaceState(null, '', newURL);
    page.location.reload();
  });
  /** The secret that the engine knows instead, if it took a proof without the page hearing so. */
  let unanswered: string | null = null;
  return {
    secret: () => unanswered ?? secret,
    onProven(next) {
      if (isFromAddress) secret = unanswered ?? next;
      isFromAddress = false;
      unanswered = null;
    },
    onUnanswered(next) {
      if (isFromAddress) unanswered ??= next;
    },
    onUnknown() {
      const hasOther = unanswered !== null;
      unanswered = null;
      return hasOther;
    },
  };
}

function secretOfAddress(page: Window): string | null {
  const token = tokenOf(page.location.hash);
  if (token !== null) page.history.replaceState(null, '', page.location.pathname);
  return token;
}

const tokenOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('token');

async function askWindows(windows: BroadcastChannel): Promise<string | null> {
  const answer = new Promise<string>((resolve) => {
    windows.onmessage = ({ data }: MessageEvent<unknown>) => {
      const session = sessionIn(data);
      if (session !== null) resolve(session);
    };
  });
  windows.postMessage('asked');
  const over = new Promise<null>((resolve) => setTimeout(resolve, answerWithinMs, null));
  return await Promise.race([answer, over]);
}

function sessionIn(value: unknown): string | null {
  const hasSession = typeof value === 'object' && value !== null && 'session' in value;
  return hasSession && typeof value.session === 'string' ? value.session : null;
}

function store(page: Window, secret: string): void {
  try {
    page.sessionStorage.setItem(storageKey, secret);
  } catch {
    // The browser stores nothing, so the desk has to be opened from the start after a reload.
  }
}

function takeStored(page: Window): string | null {
  try {
    const secret = page.sessionStorage.getItem(storageKey);
    page.sessionStorage.removeItem(storageKey);
    return secret;
  } catch {
    return null;
  }
}
