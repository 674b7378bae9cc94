import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const announced = (): SyncStatus[] =>
  desk.events.flatMap((event) => (event.type === 'sync.changed' ? [event.status] : []));

describe('the status of the sync', () => {
  it('is computed without changing anything, whoever asks', async () => {
    const { id } = desk.partner.addCase();
    await desk.sync.pull();
    await desk.queueReport(id, 'done', [{ name: 'a.txt', content: 'the report' }]);
    const set = vi.spyOn(desk.cache.values, 'set');
    const before = announced().length;
    const status = desk.sync.status();
    expect(status.delivery).toMatchObject({ done: 0, total: 1, goesOut: 1 });
    expect(desk.sync.status()).toEqual(status);
    expect(set).not.toHaveBeenCalled();
    expect(announced()).toHaveLength(before);
  });

  it('is announced once for each change, as it is answered', async () => {
    desk.partner.addCase();
    await desk.sync.pull();
    desk.events.length = 0;
    desk.sync.state.changed();
    expect(announced()).toEqual([desk.sync.status()]);
  });

  it('counts what was delivered until nothing goes out any more, also after a restart', async () => {
    const [first, second] = [desk.partner.addCase().id, desk.partner.addCase().id];
    await desk.sync.pull();
    await desk.queueReport(first, 'one', [
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b' },
    ]);
    await desk.queueReport(second, 'two', [{ name: 'c.txt', content: 'c' }]);
    desk.sync.state.changed();
    expect(announced().at(-1)?.delivery).toMatchObject({ done: 0, total: 2 });
    await desk.restart();
    await desk.deliverAll();
    const during = announced().map(({ delivery }) => delivery);
    // One unit: the reports. Their files are in the share alone.
    const counts = during.map(({ done, total }) => `${done} of ${total}`);
    expect(new Set(counts)).toEqual(new Set(['0 of 0', '0 of 2', '1 of 2']));
    const shares = during.filter(({ total }) => total > 0).map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(new Set(shares)).toEqual(new Set([0, 1 / 3, 2 / 3, 1]));
    expect(announced().at(-1)?.delivery).toMatchObject({ done: 0, total: 0 });
  });
});
