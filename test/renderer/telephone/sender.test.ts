import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type PictureStore,
  type SessionAnswer,
  TelephoneSession,
} from '#main/engine/telephone/session.ts';
import { refusals } from '#shared/telephone/limits.ts';
import type { Begun } from '#shared/telephone/messages.ts';
import { type Code, type Picture, placeOf } from '../../../renderer/telephone/outbox.ts';
import { type LinkState, Sender } from '../../../renderer/telephone/sender.ts';

// The page's sender and the desk's session, with nothing between them but `fetch`.

const reportA = 'aa'.repeat(16);
const reportB = 'bb'.repeat(16);
const random = { bytes: (length: number) => new Uint8Array(randomBytes(length)) };

/** What the desk has. It survives a session. */
class Desk implements PictureStore {
  readonly stored = new Map<string, { group: string | null; caption: string }>();
  readonly faults = new Map<string, Awaited<ReturnType<PictureStore['store']>>>();
  readonly closed: PictureStore['closed'] = () => null;
  readonly isStored = (id: string) => this.stored.has(id);
  markFault: ReturnType<PictureStore['mark']> = null;
  readonly mark: PictureStore['mark'] = ({ id, group, caption }) => {
    if (this.markFault === null) this.stored.set(id, { group, caption });
    return this.markFault;
  };
  readonly store: PictureStore['store'] = async ({ id, group, caption }) => {
    await this.isFree;
    this.whileStoring();
    const fault = this.faults.get(id) ?? null;
    if (fault === null) this.stored.set(id, { group, caption });
    return fault;
  };
  whileStoring: () => void = () => undefined;
  /** Nothing is stored before it resolves. */
  isFree: Promise<unknown> = Promise.resolve();

  session(report: string): TelephoneSession {
    const begun: Begun = { claim: 'CLM-1', report, groups: [] };
    return new TelephoneSession(random, { pictures: this, begun, onChange: () => undefined });
  }
}

/** The page without its elements. */
class Page {
  pictures: Picture[] = [];
  isDone = false;
  readonly states: LinkState[] = [];
  #sender: Sender | null = null;

  code(session: TelephoneSession): Code {
    return { key: session.key, session: session.id, device: 'cd'.repeat(32), report: null };
  }

  add(id: number, about: Partial<Picture>): void {
    this.pictures.push({
      id: id.toString(16).padStart(32, '0'),
      session: '',
      report: null,
      fileName: `${id}.jpg`,
      sizeBytes: 10,
      takenAt: `2026-11-28T09:10:${String(id).padStart(2, '0')}`,
      group: null,
      caption: '',
      state: 'waiting',
      isMarked: false,
      thumb: null,
      ...about,
    });
  }

  change(id: string, change: Partial<Picture>): void {
    this.pictures = this.pictures.map((one) => (one.id === id ? { ...one, ...change } : one));
  }

  /** Sends in the background until `stop`. */
  run(code: Code): void {
    const sender = new Sender(code, {
      outbox: { bytes: (id) => this.bytes(id) },
      pictures: () => this.pictures,
      isDone: () => this.isDone,
      keep: (picture) => {
        this.change(picture.id, picture);
        return Promise.resolve();
      },
      onSent: () => undefined,
      onBegun: () => Promise.resolve(),
      onState: (state) => void this.states.push(state),
    });
    this.#sender = sender;
    void sender.run();
  }

  done(): void {
    this.isDone = true;
    this.#sender?.wake();
  }

  stop(): void {
    this.#sender?.stop();
  }

  bytes = (id: string): Promise<Uint8Array<ArrayBuffer>> =>
    this.lost.includes(id)
      ? Promise.reject(new Error('the storage is damaged'))
      : Promise.resolve(new Uint8Array(10));

  readonly lost: string[] = [];

  stateOf = (n: number) => this.pictures[n]?.state;
}

let desk: Desk;
let page: Page;
let session: TelephoneSession;

/** Answers the page's requests like the listener. @param isLost whether an answer does not arrive */
function listen(at: TelephoneSession, isLost: (path: string) => boolean = () => false): void {
  session = at;
  const acts: Record<string, (bytes: Uint8Array) => SessionAnswer | Promise<SessionAnswer>> = {
    '/hello': (bytes) => at.hello(bytes),
    '/begin': (bytes) => at.begin(bytes),
    '/send': (bytes) => at.send(bytes),
  };
  vi.stubGlobal('fetch', async (path: string, { body }: { body: Uint8Array }) => {
    const answer = await acts[path]?.(new Uint8Array(body));
    if (answer === undefined || isLost(path)) throw new TypeError('no answer');
    return typeof answer === 'string'
      ? new Response(null, { status: refusals[answer] })
      : new Response(new Uint8Array(answer));
  });
}

beforeEach(() => {
  desk = new Desk();
  page = new Page();
});
afterEach(() => {
  page.stop();
  vi.unstubAllGlobals();
});

const until = (check: () => void) => vi.waitFor(check);

describe('what the page sends', () => {
  it('is of the report of the code, and waits if it is of another one', async () => {
    listen(desk.session(reportB));
    const code = page.code(session);
    page.add(1, { session: 'earlier', report: reportA });
    page.add(2, { session: 'earlier', report: null });
    page.add(3, { session: 'earlier', report: reportA, state: 'stored', caption: 'Dent' });
    page.add(4, { session: 'earlier', report: reportB });
    page.add(5, placeOf(code));
    page.run(code);
    await until(() => expect(page.stateOf(4)).toBe('stored'));
    page.done();
    await until(() => expect(session.facts).toMatchObject({ isDone: true, waiting: 0, stored: 2 }));
    expect(page.pictures.map(({ state }) => state)).toEqual([
      'waiting',
      'waiting',
      'stored',
      'stored',
      'stored',
    ]);
    expect([...desk.stored.keys()].map(Number)).toEqual([4, 5]);
  });

  it('leaves a caption of the laptop alone if an acknowledgement was lost', async () => {
    const at = desk.session(reportA);
    let isLost = false;
    desk.whileStoring = () => (isLost = true);
    listen(at, () => isLost);
    page.add(1, { ...placeOf(page.code(session)), caption: 'Dent' });
    const id = page.pictures[0]?.id ?? '';
    page.run(page.code(session));
    await until(() => expect(page.states.at(-1)).toBe('unreachable'));
    desk.stored.set(id, { group: 'front', caption: 'Dent at the front' });
    isLost = false;
    await until(() => expect(page.pictures[0]).toMatchObject({ state: 'stored', isMarked: true }));
    expect(desk.stored.get(id)?.caption).toBe('Dent at the front');
  });

  it('is also what the user changes while a picture is stored, or before a lost acknowledgement comes again', async () => {
    listen(desk.session(reportA));
    page.add(1, { ...placeOf(page.code(session)), caption: 'Dent' });
    const id = page.pictures[0]?.id ?? '';
    desk.whileStoring = () => page.change(id, { caption: 'Deep dent', isMarked: false });
    page.run(page.code(session));
    await until(() => expect(page.pictures[0]).toMatchObject({ state: 'stored', isMarked: true }));
    expect(desk.stored.get(id)?.caption).toBe('Deep dent');
    expect(page.pictures[0]?.caption).toBe('Deep dent');
    page.change(id, { state: 'waiting', caption: 'Deep dent, left', isMarked: false });
    page.done();
    await until(() => expect(page.pictures[0]).toMatchObject({ state: 'stored', isMarked: true }));
    expect(desk.stored.get(id)?.caption).toBe('Deep dent, left');
  });

  it('is not said to be done while the desk does not take a caption', async () => {
    listen(desk.session(reportA));
    desk.markFault = 'report_closed';
    page.add(1, { ...placeOf(page.code(session)), state: 'stored', caption: 'Dent' });
    page.run(page.code(session));
    await until(() => expect(page.states.at(-1)).toBe('report_closed'));
    expect(page.pictures[0]?.isMarked).toBe(false);
  });

  it('goes on after a picture that the telephone cannot read, or the desk cannot store', async () => {
    listen(desk.session(reportA));
    for (const n of [1, 2, 3, 4]) page.add(n, placeOf(page.code(session)));
    const [lost = '', failing = '', refused = ''] = page.pictures.map(({ id }) => id);
    page.lost.push(lost);
    desk.faults.set(failing, 'failed').set(refused, 'unusable');
    page.run(page.code(session));
    await until(() => expect(page.stateOf(3)).toBe('stored'));
    expect(page.pictures.map(({ state }) => state)).toEqual([
      'unreadable',
      'waiting',
      'refused',
      'stored',
    ]);
    desk.faults.delete(failing);
    page.done();
    await until(() => expect(page.stateOf(1)).toBe('stored'));
    await until(() => expect(session.facts).toMatchObject({ isDone: true, waiting: 2 }));
  });

  it('goes on with the next picture while the desk stores one, and says of neither that it arrived', async () => {
    let sends = 0;
    listen(desk.session(reportA), (path) => {
      sends += path === '/send' ? 1 : 0;
      return false;
    });
    const free = Promise.withResolvers<null>();
    desk.isFree = free.promise;
    for (const n of [1, 2, 3]) page.add(n, placeOf(page.code(session)));
    page.run(page.code(session));
    // Two announcements and the first picture; the answer to the second one waits.
    await until(() => expect(session.facts.waiting).toBe(3));
    await until(() => expect(sends).toBe(3));
    expect(page.pictures.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    free.resolve(null);
    await until(() => expect(page.stateOf(2)).toBe('stored'));
    expect(page.pictures.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
    await until(() => expect(session.facts).toMatchObject({ stored: 3, waiting: 0 }));
  });

  it('stays waiting for the report to which the user moves it while it is sent', async () => {
    listen(desk.session(reportA));
    page.add(1, placeOf(page.code(session)));
    const id = page.pictures[0]?.id ?? '';
    desk.whileStoring = () => page.change(id, { session: 'next', report: reportB });
    page.run(page.code(session));
    await until(() => expect(session.facts.stored).toBe(1));
    await until(() => expect(page.states.at(-1)).toBe('ready'));
    expect(page.stateOf(0)).toBe('waiting');
  });
});
