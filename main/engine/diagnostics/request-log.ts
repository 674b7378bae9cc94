import type { ClientLogEntry } from '../client/exchange.ts';

const keptEntries = 500;

/** The last requests of this process: operation, status, duration, correlation id, no more. */
export class RequestLog {
  readonly #entries: (ClientLogEntry & { readonly at: string })[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(entry: ClientLogEntry): void {
    this.#entries.push({ at: new Date(this.#now()).toISOString(), ...entry });
    if (this.#entries.length > keptEntries) this.#entries.shift();
  }

  get entries(): readonly object[] {
    return this.#entries;
  }
}
