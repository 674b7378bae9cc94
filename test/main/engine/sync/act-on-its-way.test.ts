import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { rappenFromChf } from '#shared/lib/money.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  createTransport,
  RequestFailure,
  type OutgoingRequest,
  type TransportFactory,
} from '#main/partner/requests/transport.ts';
import type { Engine } from '#main/engine/engine.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { sharePractice, openTestEngine, testFolder } from '../support/test-engine.ts';

/** Acts of the user while requests are on their way. */
const actsMax = 8;
const { practice, connection } = sharePractice();
let desk: Engine;
/** Done before a request leaves. */
let beforeRequest: (request: OutgoingRequest) => Promise<void>;
/** The network breaks as soon as a PUT has been carried out, before its answer is here. */
let losesPut: boolean;
let isGone: boolean;

/** The desk's own HTTP, with something that happens while a request is on its way. */
const troubled: TransportFactory = ({ clock }) => {
  const transport = createTransport({ clock });
  return {
    async send(request, signal) {
      await beforeRequest(request);
      const { host } = request.url;
      if (isGone) throw new RequestFailure(new DeskError('connection_refused', { host }), false);
      const answer = await transport.send(request, signal);
      if (!losesPut || request.method !== 'PUT') return answer;
      isGone = true;
      await buffer(answer.body);
      throw new RequestFailure(new DeskError('connection_lost', { host }), true);
    },
    close: () => transport.close(),
  };
};

beforeEach(async () => {
  beforeRequest = () => Promise.resolve();
  losesPut = false;
  isGone = false;
  desk = await openTestEngine({
    home: testFolder(),
    policy: { limits: practice().limits },
    network: { createTransport: troubled },
  });
  await desk.workspaces.connect(connection());
  await desk.sync.run({ documents: 'none' });
});

const open = async () => (await desk.queue.list({ includeDone: false })).items;

async function deliverAll(): Promise<void> {
  for (let round = 0; round < 20 && (await open()).length > 0; round += 1) {
    await desk.sync.run({ documents: 'none' });
  }
}

describe('acts on a case of which another one is on its way', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'seed %i: none is asked about or lost, and the last one stays',
    async (seed) => {
      const random = createSeededRandom(seed);
      const chance = (share: number) => random.fraction() < share;
      const { items } = await desk.cases.list({ status: 'InProgress' });
      const id = items[seed % items.length]?.id ?? '';
      const wanted = { costEstimateRappen: 0, expertComment: '' };
      /** Values in the order in which the service was given them. */
      const sent: number[] = [];
      let value = seed * 1000;
      const act = async () => {
        value += 1;
        const newest = (await open()).find(
          ({ state, kind }) => state === 'waiting' && kind === 'amounts',
        );
        if (newest && chance(0.3)) {
          try {
            await desk.queue.edit({ id: newest.id, costEstimateRappen: value });
            wanted.costEstimateRappen = value;
          } catch (error) {
            const isOnItsWay = error instanceof DeskError && error.code === 'queue_row_state';
            if (!isOnItsWay) throw error;
          }
        } else if (chance(0.6)) {
          await desk.cases.setAmounts({ id, costEstimateRappen: value });
          wanted.costEstimateRappen = value;
        } else {
          await desk.cases.setComment({ id, text: String(value) });
          wanted.expertComment = String(value);
        }
      };
      let left = actsMax;
      beforeRequest = async ({ url, method, body }) => {
        if (!url.pathname.includes(id)) return;
        if (method === 'PUT' && url.pathname.endsWith('/amounts') && body instanceof Uint8Array) {
          const [, francs] =
            /"CostEstimateAmount":([\d.]+)/.exec(Buffer.from(body).toString()) ?? [];
          sent.push(rappenFromChf(Number(francs)));
        }
        if (left === actsMax || (left > 0 && chance(0.7))) {
          left -= 1;
          await act();
        }
      };
      await desk.cases.setComment({ id, text: 'first' });
      await desk.cases.setAmounts({ id, costEstimateRappen: value });
      wanted.expertComment = 'first';
      wanted.costEstimateRappen = value;
      await deliverAll();

      const done = (await desk.queue.list({ caseId: id })).items;
      expect(done.filter(({ state }) => !['delivered', 'discarded'].includes(state))).toEqual([]);
      expect(done.filter(({ problem }) => problem?.code === 'server_value_changed')).toEqual([]);
      await desk.sync.run({ documents: 'none' });
      expect((await desk.cases.get({ id })).server).toMatchObject(wanted);
      expect(sent.at(-1)).toBe(wanted.costEstimateRappen);
      expect(left).toBeLessThan(actsMax);
    },
    30_000,
  );
});

describe('an act whose answer was lost', () => {
  it.each([
    ['X3: may be replaced', (id: string) => desk.cases.setComment({ id, text: 'second' })],
    [
      'X3: may be changed',
      async () => desk.queue.edit({ id: (await open())[0]?.id ?? 0, text: 'second' }),
    ],
  ])('%s, and what it set is not taken for somebody else’s', async (_, act) => {
    const id = (await desk.cases.list({ status: 'InProgress' })).items[0]?.id ?? '';
    losesPut = true;
    await desk.cases.setComment({ id, text: 'first' });
    await desk.sync.run({ documents: 'none' }).catch(() => undefined);
    expect(await open()).toMatchObject([{ state: 'waiting', act: { text: 'first' } }]);
    await act(id);
    losesPut = false;
    isGone = false;
    await deliverAll();
    expect((await desk.queue.list({ caseId: id })).items[0]).toMatchObject({
      state: 'delivered',
      act: { text: 'second' },
      problem: null,
    });
    expect((await desk.cases.get({ id })).server.expertComment).toBe('second');
  });
});
