import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LastKeys } from '#main/engine/work/last-keys.ts';
import {
  type Arrival,
  arrived,
  stored,
  typed,
  untyped,
  type WindowText,
} from '#renderer/stores/typed-text.ts';

const windowIds = ['one', 'two', 'three'];

/** One text in several windows over one engine, where each message may take its time. */
class Desk {
  nowMs = 0;
  saves = 0;
  keys = 0;
  engineText: string | null = null;
  lastTyped: string | null = null;
  readonly #keys = new LastKeys(() => this.nowMs);
  readonly windows = windowIds.map((id) => new FieldInWindow(id, this));

  type(window: FieldInWindow): void {
    this.nowMs += 1;
    this.keys += 1;
    // One letter each, so that no text goes on from another.
    window.type(String.fromCodePoint(0x4e00 + this.keys));
    this.lastTyped = window.shown;
  }

  receive(window: FieldInWindow, text: string | null, agoMs: number): void {
    this.saves += 1;
    const isLate = !this.#keys.take('text', { window: window.id, agoMs });
    if (!isLate) {
      this.engineText = text;
      for (const one of this.windows) one.events.push({ text, isOwn: one === window });
    }
    window.answers.push({ text, isLate });
  }
}

class FieldInWindow {
  readonly id: string;
  readonly #desk: Desk;
  #text: WindowText = untyped;
  #typedAtMs = 0;
  #isSaving = false;
  shown: string | null = null;
  readonly lost: string[] = [];
  readonly calls: { text: string | null; agoMs: number }[] = [];
  readonly events: Arrival[] = [];
  readonly answers: { text: string | null; isLate: boolean }[] = [];

  constructor(id: string, desk: Desk) {
    this.id = id;
    this.#desk = desk;
  }

  get isTyping(): boolean {
    return this.#text.unstored !== undefined;
  }

  type(text: string): void {
    this.#text = typed(this.#text, text);
    this.#typedAtMs = this.#desk.nowMs;
    this.shown = text;
  }

  save(): void {
    const { unstored } = this.#text;
    if (unstored === undefined || this.#isSaving) return;
    this.#isSaving = true;
    this.calls.push({ text: unstored, agoMs: this.#desk.nowMs - this.#typedAtMs });
  }

  arriveAtEngine(): void {
    const call = this.calls.shift();
    if (call) this.#desk.receive(this, call.text, call.agoMs);
  }

  hearEvent(): void {
    const event = this.events.shift();
    if (event) this.#take(arrived(this.#text, event));
  }

  hearAnswer(): void {
    const answer = this.answers.shift();
    if (!answer) return;
    this.#isSaving = false;
    this.#take(stored(this.#text, answer.text));
  }

  #take({ after, shown, lost }: ReturnType<typeof arrived>): void {
    this.#text = after;
    if (shown) this.shown = shown.text;
    if (lost !== undefined) this.lost.push(lost);
  }
}

const steps = ['type', 'save', 'arriveAtEngine', 'hearEvent', 'hearAnswer'] as const;
const play = fc.array(fc.tuple(fc.nat(windowIds.length - 1), fc.constantFrom(...steps)), {
  maxLength: 120,
});

/** @param isQuick a call is at the engine in the moment in which it is made, as on one machine */
function run(plan: readonly [number, (typeof steps)[number]][], isQuick: boolean): Desk {
  const desk = new Desk();
  const act = (window: FieldInWindow, step: (typeof steps)[number]) => {
    const before = window.shown;
    const wasTyping = window.isTyping;
    if (step === 'type') desk.type(window);
    else window[step]();
    if (isQuick && step === 'save') window.arriveAtEngine();
    const isOverwritten = step === 'hearEvent' && wasTyping && window.shown !== before;
    expect(isOverwritten).toBe(false);
  };
  for (const [index, step] of plan) {
    const window = desk.windows[index];
    if (window) act(window, step);
  }
  const isBusy = (one: FieldInWindow) =>
    one.isTyping || one.calls.length > 0 || one.events.length > 0 || one.answers.length > 0;
  while (desk.windows.some(isBusy))
    for (const window of desk.windows) for (const step of steps.slice(1)) act(window, step);
  return desk;
}

test('every window comes to show what the engine has, and nobody writes what nobody typed', () => {
  fc.assert(
    fc.property(play, fc.boolean(), (plan, isQuick) => {
      const desk = run(plan, isQuick);
      for (const window of desk.windows) expect(window.shown).toBe(desk.engineText);
      expect(desk.saves).toBeLessThanOrEqual(desk.keys);
    }),
    { numRuns: 2000 },
  );
});

test('the later key wins, and what a window typed last and lost is there to be taken back', () => {
  fc.assert(
    fc.property(play, (plan) => {
      const lastOf = new Map<FieldInWindow, string>();
      const desk = run(plan, true);
      expect(desk.engineText).toBe(desk.lastTyped);
      // Played again for what each window typed last.
      let keys = 0;
      for (const [index, step] of plan) {
        const window = desk.windows[index];
        if (window && step === 'type')
          lastOf.set(window, String.fromCodePoint(0x4e00 + (keys += 1)));
      }
      const isGone = ([window, text]: [FieldInWindow, string]) =>
        text !== desk.engineText && !window.lost.includes(text);
      expect([...lastOf].filter(isGone)).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('a text that goes on in the other window loses nothing, nor does one that is queued', () => {
  const { after } = stored(typed(untyped, 'Tür'), 'Tür');
  const goesOn = arrived(after, { text: 'Tür links', isOwn: false });
  expect(goesOn).toEqual({ after: { own: 'Tür' }, shown: { text: 'Tür links' } });
  expect(arrived(goesOn.after, { text: 'Rad', isOwn: false }).lost).toBe('Tür');
  expect(arrived(after, { text: null, isOwn: false })).toEqual({
    after: untyped,
    shown: { text: null },
  });
});

test('a clock that is set back makes no text of the window late that is typed in now', () => {
  let nowMs = 10_000;
  const keys = new LastKeys(() => nowMs);
  expect(keys.take('text', { window: 'one', agoMs: 0 })).toBe(true);
  nowMs = 1000;
  expect(keys.take('text', { window: 'two', agoMs: 100 })).toBe(true);
  expect(keys.take('text', { window: 'one', agoMs: 500 })).toBe(false);
  expect(keys.take('text', { window: 'two', agoMs: 700 })).toBe(true);
});
