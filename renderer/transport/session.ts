/**
 * Exchanges the token in the address (`#token=...`) for the session's cookie, once, and takes it
 * out of the address and the history. Without a token the cookie of an earlier visit has to do.
 */
export async function openSession(target: Window): Promise<void> {
  const token = new URLSearchParams(target.location.hash.slice(1)).get('token');
  if (token === null) return;
  target.history.replaceState(null, '', target.location.pathname);
  // A refused token is noticed where it matters: the socket does not open, and the page says so.
  await target
    .fetch('session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    .catch(() => undefined);
}
