/**
 * How a page of the browser shell and the engine prove who they are. A port identifies nobody, so
 * each side shows that it knows a secret before the page sends anything else. The secret itself is
 * never sent. Each side signs fresh numbers of both sides with the secret (HMAC-SHA-256), for one
 * connection and one address, so that no answer is valid anywhere else.
 *
 * page → engine    {name, number}   the name of the secret, which does not reveal it
 * engine → page    {number, proof}
 * page → engine    {proof}
 * engine → page    {ready}          from here on the connection carries the contract or bytes
 */

/** Signs a text with a secret by HMAC-SHA-256; the result is base64url. */
export type Sign = (secret: string, text: string) => string | Promise<string>;

/** The purpose of a connection. A proof for one purpose is not valid for another. */
export type LinePurpose = 'contract' | 'bytes' | 'invitation';

/** The part of a WebSocket that is used here. It is the same in a browser and in the library ws. */
export interface ProofLine {
  send(text: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: 'close', listener: () => void): void;
}

interface Side {
  readonly purpose: LinePurpose;
  /** Host and port of the page's address. */
  readonly authority: string;
  /** A number of 256 random bits, as base64url. */
  readonly number: string;
  readonly sign: Sign;
}

/** The other end did not prove that it knows the secret. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError';
}

/**
 * The line broke after the page sent its proof. The engine took it or not, so it may know only the
 * next secret.
 */
export class UnansweredProofError extends UnprovenError {
  readonly next: string;

  constructor(next: string, options: ErrorOptions) {
    super('nobody knows whether the engine took the proof', options);
    this.next = next;
  }
}

/** The name by which the engine finds a secret. */
export const nameOfSecret = (sign: Sign, secret: string): string | Promise<string> =>
  sign(secret, 'appraiser-desk name');

/** The limit is higher than the length of any message of a proof. */
const messageMaxChars = 1000;

/**
 * The page's side of the proof. It sends nothing that a stranger could use, and stops at the first
 * answer that is not the engine's.
 * @returns a secret that both sides now know, and that was never sent
 * @throws {UnprovenError} if the other end is not the engine, or does not know the page
 * @throws {UnansweredProofError} if the line breaks after the page's proof
 */
export async function proveToEngine(
  line: ProofLine,
  secret: string,
  { purpose, authority, number, sign }: Side,
): Promise<string> {
  const opening = { name: await nameOfSecret(sign, secret), number };
  const answer = await ask(line, opening);
  const text = boundText({ purpose, authority, page: number, engine: answer['number'] ?? '' });
  const isEngine = answer['proof'] === (await sign(secret, `engine ${text}`));
  if (!isEngine) throw new UnprovenError('the server does not know the secret');
  const next = await sign(secret, `next ${text}`);
  const proof = await sign(secret, `page ${text}`);
  const end = await ask(line, { proof }).catch((cause: unknown) => {
    throw new UnansweredProofError(next, { cause });
  });
  if (end['ready'] !== 'yes') throw new UnprovenError('the engine does not take the proof');
  return next;
}

/** The engine accepts the page. */
export const readyMessage = JSON.stringify({ ready: 'yes' });

/**
 * The engine's side of the proof, up to `readyMessage`, which the caller sends once it listens.
 * @param secretOf returns the secret of a name; null if nobody has this name
 * @returns null if the page did not prove itself
 */
export async function proveToPage(
  line: ProofLine,
  secretOf: (name: string) => string | null,
  { purpose, authority, number, sign }: Side,
): Promise<{ readonly name: string; readonly next: string } | null> {
  const { name = '', number: page = '' } = await nextMessage(line);
  const secret = secretOf(name);
  if (secret === null || !/^[\w-]{43}$/.test(page)) return null;
  const text = boundText({ purpose, authority, page, engine: number });
  const proof = await sign(secret, `engine ${text}`);
  const answer = await ask(line, { number, proof });
  // The time of this comparison reveals nothing, because each number is used only once.
  if (answer['proof'] !== (await sign(secret, `page ${text}`))) return null;
  return { name, next: await sign(secret, `next ${text}`) };
}

function boundText(bound: {
  readonly purpose: LinePurpose;
  readonly authority: string;
  readonly page: string;
  readonly engine: string;
}): string {
  return JSON.stringify([bound.purpose, bound.authority, bound.page, bound.engine]);
}

/**
 * Sends a message and waits for the answer.
 * @throws {UnprovenError} if the connection closes, or if the answer is not an object
 */
export function ask(line: ProofLine, message: object): Promise<Record<string, string>> {
  const answer = nextMessage(line);
  line.send(JSON.stringify(message));
  return answer;
}

/**
 * @throws {UnprovenError} if the connection closes, or if the message does not belong to a proof
 */
function nextMessage(line: ProofLine): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      line.removeEventListener('message', onMessage);
      line.removeEventListener('close', onClose);
      act();
    };
    const onMessage = ({ data }: { readonly data: unknown }) => {
      const message = messageOf(data);
      settle(() =>
        message === null ? reject(new UnprovenError('no message of a proof')) : resolve(message),
      );
    };
    const onClose = () => settle(() => reject(new UnprovenError('the line closed')));
    line.addEventListener('message', onMessage);
    line.addEventListener('close', onClose);
  });
}

/** The check is written by hand, because the window starts without the schema library. */
function messageOf(data: unknown): Record<string, string> | null {
  if (typeof data !== 'string' || data.length > messageMaxChars) return null;
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null) return null;
  const entries = Object.entries(message).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}
