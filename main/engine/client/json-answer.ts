import { DeskError } from '#shared/desk/errors.ts';
import type { Answer } from './request.ts';

/** No answer of the partner API without document contents comes near this. */
const maxJsonBytes = 64 * 1024 * 1024;

/** The media type of an answer in lower case, without parameters; empty where it names none. */
export function mediaTypeOf(answer: Answer): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether it calls itself JSON (RFC 6839 section 3.1 for the suffix), or nothing at all. */
export function mayBeJson(answer: Answer): boolean {
  const type = mediaTypeOf(answer);
  return type === '' || type === 'application/json' || /^application\/[^/]+\+json$/.test(type);
}

/** An answer that does not come from the partner: a portal's or a proxy's page. */
export function foreignAnswer(answer: Answer, host: string): DeskError {
  return new DeskError('captive_portal', { host, found: mediaTypeOf(answer) || 'no-json' });
}

/** Reads a body to its end. */
export async function readText(answer: Answer, host: string): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    size += piece.length;
    if (size > maxJsonBytes) throw foreignAnswer(answer, host);
    pieces.push(piece);
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/**
 * Parses a JSON object. Text that begins like one and stops early is a broken connection that
 * nobody announced (a body without a length ends wherever the connection does).
 * @throws {DeskError} connection_lost, or captive_portal for what is no JSON at all
 */
export function parseJsonObject(text: string, answer: Answer, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const trimmed = text.trim();
    if (trimmed.startsWith('{') && !trimmed.endsWith('}')) {
      throw new DeskError('connection_lost', { host }, { cause: error });
    }
    throw foreignAnswer(answer, host);
  }
}

/**
 * Reads a JSON answer whole.
 * @throws {DeskError} captive_portal, connection_lost
 */
export async function readJson(answer: Answer, host: string): Promise<unknown> {
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    throw foreignAnswer(answer, host);
  }
  return parseJsonObject(await readText(answer, host), answer, host);
}

const worthReadingBytes = 64 * 1024;

/**
 * Gives up an answer's body. A short one is read to its end, which keeps the connection usable; a
 * longer one costs the connection.
 */
export async function discardBody(answer: Answer): Promise<void> {
  let size = 0;
  try {
    for await (const piece of answer.body) {
      size += piece.length;
      if (size > worthReadingBytes) return;
    }
  } catch {
    // The head said all that was wanted.
  }
}
