import { pino, type Logger } from 'pino';
import type { Credentials } from '#main/service/organizations/credentials.ts';

export interface MemoryLog {
  readonly log: Logger;
  /** The log so far, one JSON object per line. */
  readonly lines: readonly string[];
  /**
   * Checks every line.
   * @throws {Error} if a line has a secret or personal data, or a request's line has no correlation
   * id.
   */
  assertClean(credentials: Credentials): void;
}

/** Patterns of secrets (tokens, proofs and assertions, keys) and of the people in the samples. */
const forbidden = [
  /eyJ[\w-]{8}/,
  /PRIVATE KEY/,
  /DPoP /,
  /Bearer /,
  /client_assertion/,
  /Noëmi|Zürcher|Bahnhofstrasse|Brunner|Ammann|Favre/,
  /@[\w-]+\.example/,
  /\+41/,
  /[?&]q=/,
];

/**
 * Creates the service's log at its usual level. It stores the lines, so that a test can search them
 * at its end.
 */
export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(line) });
  return {
    log,
    lines,
    assertClean(credentials) {
      const secrets = [
        credentials.backoffice.token,
        ...[credentials.insurer, credentials.expert].map(({ clientId }) => clientId),
      ];
      for (const line of lines) {
        const pattern = forbidden.find((form) => form.test(line));
        if (pattern) throw new Error(`the log tells ${String(pattern)}: ${line}`);
        if (secrets.some((secret) => line.includes(secret))) {
          throw new Error(`the log tells a secret: ${line}`);
        }
        if (line.includes('"status":') && !/"correlationId":"[!-~]+"/.test(line)) {
          throw new Error(`a line of a request has no correlation id: ${line}`);
        }
      }
    },
  };
}
