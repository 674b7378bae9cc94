/** Scheme and authority of a request target in absolute form (RFC 9112 section 3.2.2). */
const targetOrigin = /^https?:\/\/[^/?]*/i;

/**
 * Path and query of a request target as they were sent, which is what htu is held against. Like
 * Host, what the absolute form says beyond them is not looked at.
 */
export function sentTarget(target: string): string {
  return target.startsWith('/') ? target : target.replace(targetOrigin, '') || '/';
}

/**
 * Path and query by which a request finds its operation and its Idempotency-Key's scope. A colon
 * that is escaped in the path is a colon: some clients escape it, and no id has one (decision 52).
 */
export function routedTarget(target: string): string {
  const sent = sentTarget(target);
  if (!sent.includes('%')) return sent;
  return sent.replace(/^[^?]+/, (path) => path.replaceAll(/%3a/gi, ':'));
}
