import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PictureStore, TelephoneSession } from '#main/engine/telephone/session.ts';
import type { AnnouncedPicture, TelephoneAnswer } from '#shared/telephone/messages.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import {
  type DirectionKeys,
  directionKeys,
  isDeskProof,
  seal,
  unseal,
  withCounter,
} from '#shared/telephone/seal.ts';

const none = new Uint8Array();
const random = { bytes: (length: number) => new Uint8Array(randomBytes(length)) };
const begun = { claim: 'CLM-1', report: 'ab'.repeat(16), groups: [{ id: 'front', name: 'Front' }] };
const idOf = (n: number) => n.toString(16).padStart(32, '0');

/** A store like the desk's: what it has survives a session. */
class Store implements PictureStore {
  readonly stored: { id: string; bytes: Uint8Array }[] = [];
  marks: string[] = [];
  fault: Awaited<ReturnType<PictureStore['store']>> = null;
  isWritten: Promise<unknown> = Promise.resolve();
  readonly closed: PictureStore['closed'] = () => null;
  readonly isStored = (id: string) => this.stored.some((picture) => picture.id === id);
  markFault: ReturnType<PictureStore['mark']> = null;
  readonly mark: PictureStore['mark'] = ({ id, caption }) => {
    this.marks.push(`${id} ${caption}`);
    return this.markFault;
  };
  readonly store: PictureStore['store'] = async ({ id }, pieces) => {
    await this.isWritten;
    if (this.fault === null && !this.isStored(id))
      this.stored.push({ id, bytes: Buffer.concat(pieces) });
    return this.fault;
  };
}

const start = (pictures: PictureStore) =>
  new TelephoneSession(random, { pictures, begun, onChange: () => undefined });

/** A telephone as it should be. */
class Phone {
  readonly session: TelephoneSession;
  readonly device: string;
  keys: DirectionKeys | null = null;
  counter = 0;
  readonly sent: Uint8Array[] = [];

  constructor(session: TelephoneSession, device = randomBytes(32).toString('hex')) {
    this.session = session;
    this.device = device;
  }

  /** The bytes of a beginning, after the desk proved itself. */
  hello(key = this.session.key): { beginning: Uint8Array; keys: DirectionKeys } {
    const telephone = random.bytes(32);
    const answer = this.session.hello(Buffer.concat([this.session.id, telephone]));
    if (typeof answer === 'string') throw new Error(answer);
    const handshake = { session: this.session.id, telephone, desk: answer.slice(0, 32) };
    const keys = directionKeys(key, handshake);
    if (isDeskProof(key, handshake, answer.slice(32)) !== (key === this.session.key))
      throw new Error('the proof of the desk is wrong');
    const sealed = seal(keys.up, 0, { head: { device: this.device }, body: none });
    return { beginning: Buffer.concat([this.session.id, telephone, sealed]), keys };
  }

  begin(): unknown {
    const { beginning, keys } = this.hello();
    const answer = this.session.begin(beginning);
    if (typeof answer === 'string') return answer;
    this.keys = keys;
    this.counter = 0;
    return unseal(keys.down, 0, answer)?.head;
  }

  request(head: unknown, body: Uint8Array = none): Uint8Array {
    if (!this.keys) throw new Error('the telephone has not begun');
    this.counter += 1;
    const bytes = withCounter(this.counter, seal(this.keys.up, this.counter, { head, body }));
    this.sent.push(bytes);
    return bytes;
  }

  async send(head: unknown, body: Uint8Array = none): Promise<TelephoneAnswer | string> {
    const answer = await this.session.send(this.request(head, body));
    if (typeof answer === 'string') return answer;
    return unseal(this.keys?.down ?? none, this.counter, answer)?.head as TelephoneAnswer;
  }

  /** Sends a picture to its end. */
  async picture(n: number, bytes: Uint8Array): Promise<TelephoneAnswer | string> {
    let answer = await this.send(announce(n, bytes.length));
    for (let left = 100; left > 0; left -= 1) {
      if (typeof answer === 'string') return answer;
      if (answer.type === 'storing')
        return await this.send({ ...announce(n, bytes.length), waiting: 0 });
      if (answer.type !== 'next') return answer;
      answer = await this.send(...chunk(n, answer.number, bytes));
    }
    return 'endless';
  }
}

const announce = (n: number, sizeBytes: number, caption = ''): AnnouncedPicture => ({
  type: 'announce',
  id: idOf(n),
  report: begun.report,
  fileName: `${n}.jpg`,
  sizeBytes,
  takenAt: '2026-11-28T09:10:00',
  group: null,
  caption,
  waiting: 1,
});
const chunk = (n: number, number: number, bytes: Uint8Array) => {
  const from = number * telephoneLimits.chunkBytes;
  const body = bytes.subarray(from, from + telephoneLimits.chunkBytes);
  return [{ type: 'chunk', id: idOf(n), number }, body] as const;
};
/** Its bytes differ from those of other pictures; the first one has two chunks. */
const pictureOf = (n: number) =>
  new Uint8Array(n === 0 ? telephoneLimits.chunkBytes + 5 : 10).fill(n + 1);

describe('the session with a telephone', () => {
  it('gives a telephone the claim and the names of groups, after both have proved themselves', () => {
    expect(new Phone(start(new Store())).begin()).toEqual(begun);
  });

  it('stores a picture of several chunks unchanged, and acknowledges it when it is stored', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    expect(await phone.picture(0, pictureOf(0))).toEqual({ type: 'stored' });
    expect(store.stored).toEqual([{ id: idOf(0), bytes: Buffer.from(pictureOf(0)) }]);
    expect(phone.session.facts).toMatchObject({ isConnected: true, stored: 1, waiting: 0 });
  });

  it('does not acknowledge a picture that the desk could not store', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    store.fault = 'disk_full';
    expect(await phone.picture(1, pictureOf(1))).toEqual({ type: 'later', fault: 'disk_full' });
    store.fault = 'unusable';
    expect(await phone.picture(1, pictureOf(1))).toEqual({ type: 'refused', fault: 'unusable' });
    store.fault = null;
    expect(await phone.picture(1, pictureOf(1))).toEqual({ type: 'stored' });
    expect(store.stored).toHaveLength(1);
  });

  it('takes a picture while it stores the one before it, and no third one', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    const isWritten = Promise.withResolvers<null>();
    store.isWritten = isWritten.promise;
    const handOver = async (n: number) => {
      await phone.send({ ...announce(n, 10), waiting: 4 - n });
      return await phone.send(...chunk(n, 0, pictureOf(n)));
    };
    expect(await handOver(1)).toEqual({ type: 'storing' });
    expect(phone.session.facts).toMatchObject({ stored: 0, waiting: 3 });
    // The desk has it whole, and answers only when the first one is stored.
    const second = handOver(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.stored).toHaveLength(0);
    isWritten.resolve(null);
    expect(await second).toEqual({ type: 'storing' });
    for (const n of [1, 2])
      expect(await phone.send({ ...announce(n, 10), waiting: 1 })).toEqual({ type: 'stored' });
    expect(phone.session.facts).toMatchObject({ stored: 2, waiting: 1 });
    expect(store.stored.map(({ id }) => id)).toEqual([1, 2].map(idOf));
  });

  it('says once why a picture was not stored, and then takes it again', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    store.fault = 'failed';
    await phone.send(announce(1, 10));
    await phone.send(...chunk(1, 0, pictureOf(1)));
    // An answer that is lost costs nothing: what came whole is not asked for again.
    expect(await phone.send(...chunk(1, 0, pictureOf(1)))).toEqual({ type: 'storing' });
    store.fault = null;
    expect(await phone.send(announce(1, 10))).toEqual({ type: 'later', fault: 'failed' });
    expect(phone.session.facts).toMatchObject({ stored: 0 });
    expect(await phone.send(announce(1, 10))).toEqual({ type: 'next', number: 0 });
    expect(await phone.picture(1, pictureOf(1))).toEqual({ type: 'stored' });
  });

  it('refuses a telephone without the key, and shows it nothing', () => {
    const session = start(new Store());
    const phone = new Phone(session);
    const { beginning } = phone.hello(random.bytes(32));
    expect(session.begin(beginning)).toBe('unproven');
    expect(session.facts).toMatchObject({ isConnected: false, refused: 1 });
    expect(phone.begin()).toEqual(begun);
  });

  it('refuses a second telephone with the same code, and the first goes on', async () => {
    const store = new Store();
    const session = start(store);
    const phone = new Phone(session);
    phone.begin();
    expect(new Phone(session).begin()).toBe('otherTelephone');
    expect(session.facts.refused).toBe(1);
    expect(await phone.picture(1, pictureOf(1))).toEqual({ type: 'stored' });
  });

  it('knows the same telephone again after a reload, and only its last start', async () => {
    const session = start(new Store());
    const before = new Phone(session);
    before.begin();
    const after = new Phone(session, before.device);
    expect(after.begin()).toEqual(begun);
    expect(await before.send({ type: 'look', waiting: 0, isDone: false })).toBe('unproven');
    expect(await after.send({ type: 'look', waiting: 0, isDone: true })).toEqual({ type: 'seen' });
  });

  it('refuses a recorded beginning and recorded messages', async () => {
    const store = new Store();
    const session = start(store);
    const phone = new Phone(session);
    const { beginning, keys } = phone.hello();
    session.begin(beginning);
    phone.keys = keys;
    await phone.picture(1, pictureOf(1));
    for (const bytes of phone.sent) expect(await session.send(bytes)).toBe('unproven');
    expect(session.begin(beginning)).toBe('unproven');
    expect(await phone.picture(2, pictureOf(2))).toEqual({ type: 'stored' });
    expect(store.stored.map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  });

  it('refuses everything after its end, and another session', async () => {
    const store = new Store();
    const session = start(store);
    const phone = new Phone(session);
    phone.begin();
    const other = start(store);
    const foreign = Buffer.concat([other.id, random.bytes(32)]);
    expect(session.hello(foreign)).toBe('ended');
    await session.end();
    expect(await phone.send({ type: 'look', waiting: 0, isDone: false })).toBe('ended');
    expect(session.hello(Buffer.concat([session.id, random.bytes(32)]))).toBe('ended');
  });

  it('refuses what is no picture by its name, and sizes beyond the bounds', async () => {
    const phone = new Phone(start(new Store()));
    phone.begin();
    const document = { ...announce(1, 10), fileName: 'report.pdf' };
    expect(await phone.send(document)).toEqual({ type: 'refused', fault: 'unusable' });
    expect(await phone.send(announce(1, telephoneLimits.pictureBytes + 1))).toBe('malformed');
    await phone.send(announce(1, 10));
    const long = new Uint8Array(11);
    expect(await phone.send({ type: 'chunk', id: idOf(1), number: 0 }, long)).toBe('malformed');
    expect(await phone.send({ type: 'chunk', id: idOf(1), number: 4 }, none)).toEqual({
      type: 'next',
      number: 0,
    });
    expect(await phone.send({ type: 'chunk', id: idOf(9), number: 0 }, none)).toEqual({
      type: 'unknown',
    });
    expect(await phone.send({ type: 'anything' })).toBe('malformed');
  });

  it('stores and marks no picture that is said to be of another report', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    const other = { report: 'cd'.repeat(16) };
    expect(await phone.send({ ...announce(1, 10), ...other })).toBe('malformed');
    expect(await phone.send(...chunk(1, 0, pictureOf(1)))).toEqual({ type: 'unknown' });
    await phone.picture(2, pictureOf(2));
    const marks = { group: null, caption: 'Dent' };
    expect(await phone.send({ type: 'mark', id: idOf(2), ...other, ...marks })).toBe('malformed');
    expect(store.stored.map(({ id }) => id)).toEqual([idOf(2)]);
    expect(store.marks).toEqual([]);
  });

  it('hands on what the user changes of a picture that is already here, and nothing else', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    await phone.picture(1, pictureOf(1));
    await phone.send({
      type: 'mark',
      id: idOf(1),
      report: begun.report,
      group: 'front',
      caption: 'Dent',
    });
    expect(await phone.send(announce(1, 10, 'Deep dent'))).toEqual({ type: 'stored' });
    // The laptop's caption may be newer than one that is announced again.
    expect(store.marks).toEqual([`${idOf(1)} Dent`]);
  });

  it('says that the report is closed if it cannot hand on a change', async () => {
    const store = new Store();
    const phone = new Phone(start(store));
    phone.begin();
    await phone.picture(1, pictureOf(1));
    store.markFault = 'report_closed';
    const { report } = begun;
    const mark = { type: 'mark', id: idOf(1), report, group: 'front', caption: 'Dent' };
    expect(await phone.send(mark)).toEqual({ type: 'later', fault: 'report_closed' });
  });

  it('takes no more than 500 pictures with one code, and leaves the others on the telephone', async () => {
    const phone = new Phone(start(new Store()));
    phone.begin();
    for (let n = 1; n <= telephoneLimits.pictures; n += 1) await phone.picture(n, pictureOf(n));
    const tooMany = { type: 'later', fault: 'too_many' };
    expect(await phone.picture(telephoneLimits.pictures + 1, pictureOf(1))).toEqual(tooMany);
  });

  it('ends for a telephone that begins without end', () => {
    const session = start(new Store());
    const phone = new Phone(session);
    for (let n = 0; n < telephoneLimits.begins; n += 1) phone.begin();
    expect(phone.begin()).toBe('ended');
    expect(session.facts.refused).toBe(0);
  });

  it('has ended only when nothing is being stored', async () => {
    const store = new Store();
    const session = start(store);
    const phone = new Phone(session);
    phone.begin();
    const isWritten = Promise.withResolvers<null>();
    store.isWritten = isWritten.promise;
    await phone.send(announce(1, 10));
    expect(await phone.send(...chunk(1, 0, pictureOf(1)))).toEqual({ type: 'storing' });
    const outcome = phone.send(announce(1, 10));
    let hasEnded = false;
    const ending = session.end().then(() => (hasEnded = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasEnded).toBe(false);
    isWritten.resolve(null);
    await ending;
    expect(await outcome).toEqual({ type: 'stored' });
  });
});

/** What can happen on the way. A number picks a picture, or bytes of the past. */
const kinds = [
  'step',
  'lost',
  'replay',
  'changed',
  'cut',
  'foreign',
  'chunk',
  'reload',
  'kill',
  'stranger',
] as const;
type Kind = (typeof kinds)[number];
const event = fc.record({
  kind: fc.oneof({ weight: 2, arbitrary: fc.constant<Kind>('step') }, fc.constantFrom(...kinds)),
  n: fc.nat(50),
});

/** A telephone and a desk to which things happen. */
class Way {
  readonly store = new Store();
  readonly acknowledged = new Set<number>();
  readonly #device = randomBytes(32).toString('hex');
  readonly #past: Uint8Array[] = [];
  #phone = new Phone(start(this.store), this.#device);

  constructor() {
    this.#phone.begin();
  }

  /** @returns whether the desk did what it should */
  async happen(kind: Kind, n: number): Promise<boolean> {
    const before = this.store.stored.length;
    const isRight = await this.#act(kind, n);
    this.#past.push(...this.#phone.sent.splice(0));
    const mayStore = kind === 'step' || kind === 'lost' || kind === 'chunk';
    return isRight && (mayStore || this.store.stored.length === before);
  }

  async #act(kind: Kind, number: number): Promise<boolean> {
    const phone = this.#phone;
    const n = number % 6;
    const bytes = pictureOf(n);
    const old = this.#past[number % Math.max(1, this.#past.length)] ?? none;
    const isRefused = async (request: Uint8Array) =>
      typeof (await phone.session.send(request)) === 'string';
    if (kind === 'step') {
      const answer = await phone.picture(n, bytes);
      if (typeof answer === 'string' || answer.type !== 'stored') return false;
      this.acknowledged.add(n);
    }
    // The desk gets requests, and its answers do not arrive.
    if (kind === 'lost') {
      await phone.session.send(phone.request(announce(n, bytes.length)));
      await phone.session.send(phone.request(...chunk(n, 0, bytes)));
    }
    if (kind === 'chunk') await phone.send(...chunk(n, number % 2, bytes));
    if (kind === 'replay') return await isRefused(old);
    if (kind === 'cut') return await isRefused(old.subarray(0, number));
    if (kind === 'foreign') return await isRefused(random.bytes(number + 1));
    if (kind === 'changed') {
      const changed = Uint8Array.from(phone.request(announce(n, bytes.length)));
      // The desk never gets it unchanged, so it is no recorded message.
      phone.sent.pop();
      const at = changed.length - 1 - (number % 10);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return await isRefused(changed);
    }
    if (kind === 'stranger') return new Phone(phone.session).begin() === 'otherTelephone';
    if (kind === 'reload') this.#phone = new Phone(phone.session, this.#device);
    if (kind === 'kill') this.#phone = new Phone(start(this.store), this.#device);
    return this.#phone === phone || typeof this.#phone.begin() === 'object';
  }
}

describe('whatever happens on the way', () => {
  it('stores each picture once and whole, and acknowledges nothing that it has not stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
        const way = new Way();
        for (const { kind, n } of events)
          expect(await way.happen(kind, n), `${kind} ${n}`).toBe(true);
        const ids = way.store.stored.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining([...way.acknowledged].map(idOf)));
        for (const { id, bytes } of way.store.stored)
          expect(Buffer.compare(bytes, pictureOf(Number.parseInt(id, 16)))).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
