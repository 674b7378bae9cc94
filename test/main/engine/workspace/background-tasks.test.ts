import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { DocumentIndexer } from '#main/engine/document-text/document-indexer.ts';
import type { Sync } from '#main/engine/sync/sync.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import {
  announceSoon,
  backUps,
  keepRetention,
  readingTexts,
  watchClock,
} from '#main/engine/workspace/background-tasks.ts';
import type { RetentionAudit } from '#main/engine/workspace/retention.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { createSteppedClock, type SteppedClock } from '../support/stepped-clock.ts';
import { TestDesk } from '../support/test-desk.ts';

let clock: SteppedClock;
let failures: unknown[];
let events: DeskEvent[];
const fail = (error: unknown) => void failures.push(error);
const emit = (event: DeskEvent) => void events.push(event);
beforeEach(() => {
  clock = createSteppedClock();
  failures = [];
  events = [];
});

describe('a change of the ledger', () => {
  it('is announced once for many events, and again for a later one', async () => {
    const announce = vi.fn();
    const soon = announceSoon(clock, announce);
    soon.announce();
    await clock.advance(100);
    soon.announce();
    expect(announce).not.toHaveBeenCalled();
    await clock.advance(50);
    expect(announce).toHaveBeenCalledTimes(1);
    await clock.advance(1000);
    expect(announce).toHaveBeenCalledTimes(1);
    soon.announce();
    await clock.advance(150);
    expect(announce).toHaveBeenCalledTimes(2);
  });

  it('is not announced after the end', async () => {
    const announce = vi.fn();
    const soon = announceSoon(clock, announce);
    soon.cancel();
    soon.announce();
    soon.cancel();
    await clock.advance(1000);
    expect(announce).not.toHaveBeenCalled();
  });
});

describe('a backup of the user’s work', () => {
  let open: number;
  const backUpIfChanged = vi.fn();
  // The cast restates what the backups ask of the work.
  const work = {
    casesInWork: () => new Set(Array.from({ length: open }, (_, index) => String(index))),
    backUpIfChanged,
  } as unknown as Work;
  beforeEach(() => {
    open = 1;
    backUpIfChanged.mockClear();
  });

  it('is made once, a minute after the first of several acts, and again after a later one', async () => {
    const backups = backUps(work, clock);
    backups.soon();
    await clock.advance(30_000);
    backups.soon();
    await clock.advance(29_999);
    expect(backUpIfChanged).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(backUpIfChanged).toHaveBeenCalledTimes(1);
    await clock.advance(120_000);
    expect(backUpIfChanged).toHaveBeenCalledTimes(1);
    backups.soon();
    await clock.advance(60_000);
    expect(backUpIfChanged).toHaveBeenCalledTimes(2);
  });

  it('is not made of work that is delivered', async () => {
    const backups = backUps(work, clock);
    backups.soon();
    open = 0;
    await clock.advance(60_000);
    backups.soon();
    backups.stop()();
    expect(backUpIfChanged).not.toHaveBeenCalled();
  });

  it('is made at the end if one is due, and only then', async () => {
    const backups = backUps(work, clock);
    backUps(work, clock).stop()();
    expect(backUpIfChanged).not.toHaveBeenCalled();
    backups.soon();
    const finish = backups.stop();
    await clock.advance(60_000);
    expect(backUpIfChanged).not.toHaveBeenCalled();
    finish();
    expect(backUpIfChanged).toHaveBeenCalledTimes(1);
    const early = backUps(work, clock);
    early.soon();
    await clock.advance(60_000);
    early.stop()();
    expect(backUpIfChanged).toHaveBeenCalledTimes(2);
  });
});

describe('the device’s clock', () => {
  const minuteMs = 60_000;
  let offset: ReturnType<PartnerClient['clockOffset']>;
  let saved: number;
  let shown: number;
  let stop: () => Promise<void>;
  let showing: () => void;

  function watch(): void {
    // The casts restate what the watch asks of its parts.
    const client = {
      clockOffset: () => offset,
      saveClockOffset: () => void (saved += 1),
    } as unknown as PartnerClient;
    const sync = { state: { changed: () => showing() } } as unknown as Sync;
    const parts = { clock, emit, client, sync } as unknown as Parameters<typeof watchClock>[0];
    stop = watchClock(parts, fail);
  }
  beforeEach(() => {
    offset = { offsetMs: 10 * minuteMs, source: 'answer' };
    saved = 0;
    shown = 0;
    showing = () => void (shown += 1);
    watch();
  });
  afterEach(() => stop());
  const seen = () => ({ saved, shown, events: events.splice(0) });
  const none = { saved: 0, shown: 0, events: [] };
  const change = [{ type: 'day.changed' }, { type: 'cases.changed', caseIds: null }];

  it('is not said to be another one while it is set by less than a minute', async () => {
    await clock.advance(15_000);
    offset = { ...offset, offsetMs: 11 * minuteMs - 1 };
    await clock.advance(15_000);
    expect(seen()).toEqual(none);
  });

  it.each([9 * minuteMs, 11 * minuteMs, 0])(
    'that differs by %d ms is another one',
    async (offsetMs) => {
      offset = { ...offset, offsetMs };
      await clock.advance(14_999);
      expect(seen()).toEqual(none);
      await clock.advance(1);
      expect(seen()).toEqual({ saved: 1, shown: 1, events: change });
      await clock.advance(60_000);
      expect(seen()).toEqual({ saved: 1, shown: 1, events: [] });
    },
  );

  it('is known from a first answer', async () => {
    await stop();
    offset = { offsetMs: 0, source: 'unknown' };
    watch();
    await clock.advance(15_000);
    expect(seen()).toEqual(none);
    offset = { offsetMs: 10 * minuteMs, source: 'answer' };
    await clock.advance(15_000);
    expect(seen()).toMatchObject({ shown: 1 });
  });

  it('is known in another way', async () => {
    offset = { ...offset, source: 'before' };
    await clock.advance(15_000);
    expect(seen()).toMatchObject({ shown: 1 });
  });

  it('is announced although the status cannot be read', async () => {
    showing = () => {
      throw new Error('a damaged page');
    };
    offset = { ...offset, offsetMs: 0 };
    await clock.advance(15_000);
    expect(failures).toMatchObject([{ message: 'a damaged page' }]);
    expect(seen()).toMatchObject({ saved: 1, events: change });
  });
});

describe('the texts of documents', () => {
  it('are read some time after the start, and for every document that comes', async () => {
    const wake = vi.spyOn(DocumentIndexer.prototype, 'wake').mockResolvedValue();
    const close = vi.spyOn(DocumentIndexer.prototype, 'close').mockResolvedValue();
    // The cast restates that nothing is read here.
    const parts = { clock, emit, log: faultLog } as unknown as Parameters<typeof readingTexts>[0];
    const texts = readingTexts(parts, fail);
    await clock.advance(9999);
    expect(wake).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(wake).toHaveBeenCalledTimes(1);
    wake.mockRejectedValue(new Error('a damaged page'));
    await texts.read();
    expect(failures).toMatchObject([{ message: 'a damaged page' }]);
    await texts.close();
    expect(close).toHaveBeenCalledTimes(1);
    const closed = readingTexts(parts, fail);
    await closed.close();
    await clock.advance(10_000);
    expect(wake).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});

describe('the retention', () => {
  const dayMs = 86_400_000;
  let desk: TestDesk;
  let source: 'answer' | 'before';
  let shown: number;
  let written: () => void;
  let caseId: string;
  beforeEach(async () => {
    desk = await TestDesk.open();
    desk.rule = { keep: 'none', closedDays: 30, caseDays: 365 };
    source = 'answer';
    shown = 0;
    written = () => undefined;
    caseId = desk.partner.addCase({ status: 'Final' }).id;
    desk.partner.addDocument(caseId, 'a.txt', 'abc');
    await desk.sync.pull();
    await desk.sync.fetch('all');
  });
  afterEach(() => desk.remove());
  const retention = () => {
    const { cache, work, files, clock: eager } = desk;
    // The cast restates what the retention asks of its log.
    const audit = { write: () => written(), note: () => undefined } as unknown as RetentionAudit;
    const client = { clockOffset: () => ({ offsetMs: 0, source }) };
    // The cast restates what the retention tells the sync.
    const sync = { state: { changed: () => void (shown += 1) } } as unknown as Sync;
    const parts = { cache, work, cacheFiles: files, workFiles: files, clock: eager, audit, emit };
    const of = { client, sync, workspaceId: 'w', documentRule: () => desk.rule };
    return keepRetention({ ...parts, ...of }, fail);
  };
  const isHere = () => desk.cache.cases.find(caseId) !== null;
  const documentsLeft = [
    { type: 'documents.changed', caseId: '' },
    { type: 'cases.changed', caseIds: [''] },
  ];
  const said = () => events.map((event) => ({ ...event }));
  const expected = () =>
    documentsLeft.map((event) =>
      'caseId' in event ? { ...event, caseId } : { ...event, caseIds: [caseId] },
    );

  it('removes documents, and later the case, each once, and says so', async () => {
    const kept = retention();
    await kept.purge();
    expect(said()).toEqual([]);
    desk.clock.skip(31 * dayMs);
    await kept.purge();
    expect(await desk.files.list()).toEqual([]);
    expect([isHere(), shown, said()]).toEqual([true, 0, expected()]);
    events.length = 0;
    desk.clock.skip(335 * dayMs);
    await kept.purge();
    expect([isHere(), shown, said()]).toEqual([false, 1, expected()]);
    expect(failures).toEqual([]);
  });

  it('removes nothing before the insurer’s time is known', async () => {
    source = 'before';
    desk.clock.skip(400 * dayMs);
    await retention().purge();
    expect(isHere()).toBe(true);
    expect(await desk.files.list()).toHaveLength(1);
    expect(said()).toEqual([]);
  });

  it('writes its log each time, and goes on if it cannot', async () => {
    let writes = 0;
    written = () => {
      writes += 1;
      throw new Error('a full disk');
    };
    source = 'before';
    await retention().purge();
    expect(writes).toBe(1);
    source = 'answer';
    desk.clock.skip(400 * dayMs);
    await retention().purge();
    expect(new Set(failures.map(String))).toEqual(new Set(['Error: a full disk']));
    expect(failures).toHaveLength(writes);
    expect(isHere()).toBe(false);
  });

  it('goes on after a run that failed, and the end waits for the run', async () => {
    desk.clock.skip(400 * dayMs);
    const kept = retention();
    const find = vi.spyOn(desk.cache, 'together').mockImplementation(() => {
      throw new Error('a damaged page');
    });
    await kept.purge();
    expect(failures.length).toBeGreaterThan(0);
    find.mockRestore();
    void kept.purge();
    void kept.purge();
    await kept.ended();
    expect(isHere()).toBe(false);
  });

  it('frees the room of documents that are not downloaded by themselves, and says so', async () => {
    await retention().free();
    expect(await desk.files.list()).toEqual([]);
    expect(said()).toEqual(expected());
    events.length = 0;
    await retention().free();
    expect(said()).toEqual([]);
  });
});
