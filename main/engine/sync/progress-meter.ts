import type { DeskEvent } from '#shared/desk/events.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { OutboxStep } from '../work/outbox-records.ts';

/** A person's eye needs no more. */
const intervalMs = 100;

interface Measured {
  readonly rowId: number;
  readonly sentBytes: number;
  readonly toldAtMs: number;
}

/** How far the uploads under way have come; told at most ten times a second each. */
export class ProgressMeter {
  readonly #clock: Clock;
  readonly #emit: (event: DeskEvent) => void;
  readonly #steps = new Map<number, Measured>();

  constructor(clock: Clock, emit: (event: DeskEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  sent(step: OutboxStep, sentBytes: number, totalBytes: number): void {
    const nowMs = this.#clock.monotonic();
    const last = this.#steps.get(step.id)?.toldAtMs ?? -Infinity;
    const isDue = nowMs - last >= intervalMs || sentBytes >= totalBytes;
    this.#steps.set(step.id, { rowId: step.rowId, sentBytes, toldAtMs: isDue ? nowMs : last });
    if (isDue) {
      const { id: stepId, rowId: id } = step;
      this.#emit({ type: 'queue.progress', id, stepId, sentBytes, totalBytes });
    }
  }

  sentBytes(stepId: number): number {
    return this.#steps.get(stepId)?.sentBytes ?? 0;
  }

  /** A new state of the row ends what was measured of its requests. */
  forgetRow(rowId: number): void {
    for (const [stepId, measured] of this.#steps) {
      if (measured.rowId === rowId) this.#steps.delete(stepId);
    }
  }
}
