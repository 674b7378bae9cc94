import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Answered, DeliveryOptions } from '#main/partner/requests/call.ts';
import type { Clock } from '#shared/lib/clock.ts';

/**
 * The effect of the network and the server on one request.
 * - `refused`: there is no connection
 * - `drop-before`: the line breaks, and the request never arrives
 * - `drop-after`: the request is executed, and its answer is lost
 * - `late`: the line breaks, and the request is executed only after the next one
 * - `busy`: the answer is 500, and the request is not executed
 * - `crash-before`, `crash-after`: the desk dies before or after the execution
 */
export type Fault =
  | 'none'
  | 'refused'
  | 'page'
  | 'drop-before'
  | 'drop-after'
  | 'late'
  | 'busy'
  | 'crash-before'
  | 'crash-after';

/** Executes requests once per key, over a network that fails as planned. */
export class FaultyLine {
  /** Returns the fault for a request. It is called once per request. */
  fault: (operation: string) => Fault = () => 'none';
  /** Called when the desk dies. Its requests never end after that. */
  onCrash: () => void = () => undefined;
  /** Replaces the correct answer with a wrong one. The effect of the request stays. */
  distort: <T>(operation: string, value: T) => T = (_operation, value) => value;
  /** The partner treats every repetition as a new request. */
  ignoresKeys = false;
  readonly clock: Clock;
  readonly requests: string[] = [];
  readonly #answers = new Map<string, { atMs: number; value: unknown }>();
  #late: (() => void)[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  #answer<T>(value: T): Answered<T> {
    return {
      value,
      status: 200,
      correlationId: `c-${this.requests.length}`,
      serverDateMs: Math.floor(this.clock.now() / 1000) * 1000,
    };
  }

  protected async request<T>(
    operation: string,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    options: DeliveryOptions | undefined,
    run: () => T,
    isBig = false,
  ): Promise<Answered<T>> {
    await new Promise<void>((resolve) => this.clock.after(0, resolve));
    // The client reports its caller's abort as a lost connection.
    if (options?.signal?.aborted === true) throw new DeskError('connection_lost', { host: 'fake' });
    options?.onSend?.();
    this.requests.push(operation);
    const late = this.#late;
    this.#late = [];
    const fault = this.fault(operation);
    const execute = () => this.#idempotently(options?.idempotencyKey, isBig, run);
    const lost = () =>
      new DeskError(method === 'GET' ? 'connection_lost' : 'outcome_unknown', { host: 'fake' });
    try {
      switch (fault) {
        case 'none':
          return this.#answer(this.distort(operation, execute()));
        case 'refused':
          throw new DeskError('connection_refused', { host: 'fake' });
        case 'page':
          throw new DeskError('captive_portal', { host: 'fake', found: 'text/html' });
        case 'drop-before':
          throw lost();
        case 'drop-after':
          execute();
          throw lost();
        case 'late':
          if (method === 'GET') throw lost();
          this.#late.push(() => ignoreRefusal(execute));
          throw lost();
        case 'busy':
          throw method === 'POST' || method === 'DELETE'
            ? new DeskError('outcome_unknown', { host: 'fake' })
            : new DeskError('server_failed', { title: 'upstream_error', status: 500 });
        case 'crash-before':
          return await this.#die();
        case 'crash-after':
          execute();
          return await this.#die();
      }
    } finally {
      late.forEach((task) => task());
    }
  }

  #die(): Promise<never> {
    this.onCrash();
    return Promise.reject(new Error('the desk is dead'));
  }

  #idempotently<T>(key: string | undefined, isBig: boolean, run: () => T): T {
    if (key === undefined || isBig || this.ignoresKeys) return run();
    // This is the rule "A second identical request in flight waits for the first."
    this.#late.splice(0).forEach((task) => task());
    const known = this.#answers.get(key);
    if (known && this.clock.now() - known.atMs < 24 * 3_600_000) {
      if (known.value instanceof DeskError) throw known.value;
      // The stored answer has the type of this operation's answer, because the key belongs to it.
      return known.value as T;
    }
    let value: unknown;
    try {
      const answer = run();
      value = answer;
      return answer;
    } catch (error) {
      value = error;
      throw error;
    } finally {
      this.#answers.set(key, { atMs: this.clock.now(), value });
    }
  }
}

export function refusal(title: string, status: number): DeskError {
  return new DeskError('server_refused', { title, status, detail: '', correlationId: 'c' });
}

function ignoreRefusal(task: () => unknown): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
  }
}
