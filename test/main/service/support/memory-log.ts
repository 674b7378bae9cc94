import { pino, type Logger } from 'pino';
import type { Credentials } from '#main/service/organizations/credentials.ts';

export interface MemoryLog {
  readonly log: Logger;
  /** What was logged so far, one JSON object a line. */
  readonly lines: readonly string[];
  /**
   * @throws {Error} if a line has a secret or personal data, or a request's line has no
   *   correlation id.
   */
  assertClean(credentials: Credentials): void;
}

/** Secrets by their form: tokens, proofs and assertions, keys, and the people of the samples. */
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

/** The service's log at its usual level, stored so that the test can search it at its end. */
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
