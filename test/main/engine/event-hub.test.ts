import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { EventHub } from '#main/engine/event-hub.ts';
import { createSteppedClock } from './support/stepped-clock.ts';
import { TestDesk } from './support/test-desk.ts';

const caseId = '00000000-0000-4000-8000-000000000001';
const progress = (sentBytes: number): DeskEvent => ({
  type: 'queue.progress',
  id: 1,
  stepId: 2,
  sentBytes,
  totalBytes: 100,
});

describe('a subscription', () => {
  it('sends `alive` at once, and every 15 s', async () => {
    const clock = createSteppedClock();
    const events = new EventHub(clock).subscribe();
    expect((await events.next()).value).toMatchObject({ type: 'alive' });
    const second = events.next();
    await clock.advance(15_000);
    expect((await second).value).toMatchObject({ type: 'alive' });
    await events.return?.();
  });

  it('gives a slow reader only the latest of what replaces itself, in order', async () => {
    const hub = new EventHub(createSteppedClock());
    const gone = new AbortController();
    const events = hub.subscribe(gone.signal);
    for (const sentBytes of [1, 2, 3]) hub.emit(progress(sentBytes));
    hub.emit({ type: 'cases.changed', caseIds: [caseId] });
    hub.emit({ type: 'cases.changed', caseIds: [caseId] });
    hub.emit(progress(4));
    gone.abort();
    const seen: DeskEvent[] = [];
    for await (const event of events) seen.push(event);
    expect(seen.map(({ type }) => type)).toEqual([
      'alive',
      'cases.changed',
      'cases.changed',
      'queue.progress',
    ]);
    expect(seen.at(-1)).toEqual(progress(4));
  });

  it('of a window that reads nothing stays small, and asks it to read everything again', async () => {
    const hub = new EventHub(createSteppedClock());
    const events = hub.subscribe();
    for (let i = 0; i < 5000; i += 1) hub.emit({ type: 'cases.changed', caseIds: [caseId] });
    hub.close();
    const seen: DeskEvent[] = [];
    for await (const event of events) seen.push(event);
    expect(seen.length).toBeLessThanOrEqual(1001);
    expect(seen.slice(0, 2)).toMatchObject([{ type: 'alive' }, { type: 'events.missed' }]);
  });

  it('gives a slow reader, such as the tray, the latest of what is one event alone', async () => {
    const desk = await TestDesk.open();
    onTestFinished(() => desk.remove());
    desk.sync.state.paused = true;
    desk.sync.state.changed();
    const status = desk.events.findLast(({ type }) => type === 'sync.changed');
    if (!status) throw new Error('no status was announced');
    const hub = new EventHub(createSteppedClock());
    const events = hub.subscribe();
    hub.emit({ type: 'workspace.changed' });
    hub.emit({ type: 'desk.changed' });
    hub.emit(status);
    for (let i = 0; i < 1000; i += 1) hub.emit({ type: 'cases.changed', caseIds: [caseId] });
    hub.close();
    const seen: DeskEvent[] = [];
    for await (const event of events) seen.push(event);
    expect(seen.slice(0, 5)).toEqual([
      expect.objectContaining({ type: 'alive' }),
      { type: 'workspace.changed' },
      { type: 'desk.changed' },
      status,
      { type: 'events.missed' },
    ]);
    expect(status).toMatchObject({ status: { paused: true } });
  });

  it('ends with the hub, also for who waits', async () => {
    const hub = new EventHub(createSteppedClock());
    const events = hub.subscribe();
    await events.next();
    const waiting = events.next();
    hub.close();
    expect((await waiting).done).toBe(true);
    expect((await hub.subscribe().next()).done).toBe(true);
  });
});
