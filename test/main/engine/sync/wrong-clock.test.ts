import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientLogEntry } from '#main/partner/requests/signed-request.ts';
import type { Engine } from '#main/engine/engine.ts';
import { systemClock } from '#main/shell/system.ts';
import { sharePractice, openTestEngine, testFolder } from '../support/test-engine.ts';

const hour = 3_600_000;
const { practice, connection } = sharePractice();
let desk: Engine;
/** How wrong the laptop's wall clock is now. */
let wrongByMs = 0;
const answers: ClientLogEntry[] = [];

beforeEach(() => {
  answers.length = 0;
});

async function openDesk(): Promise<void> {
  desk = await openTestEngine({
    home: testFolder(),
    clock: { ...systemClock, now: () => Date.now() + wrongByMs },
    policy: { limits: practice().limits },
    onRequest: (entry) => answers.push(entry),
  });
  await desk.workspaces.connect(connection());
}

/** Queues what the user does on a case, and one round. */
async function work(amount: number): Promise<void> {
  const id = (await desk.cases.list({ status: 'InProgress' })).items[0]?.id ?? '';
  await desk.cases.setAmounts({ id, costEstimateRappen: amount });
  expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ waiting: 0, attention: 0 });
  expect((await desk.cases.get({ id })).server.costEstimateRappen).toBe(amount);
  expect((await desk.sync.status()).problem).toBeNull();
}

describe('no 401 reaches the user', () => {
  it.each([
    ['two hours ahead', 2 * hour],
    ['two hours behind', -2 * hour],
  ])('with a laptop that is %s', async (_, offsetMs) => {
    wrongByMs = offsetMs;
    await openDesk();
    expect((await desk.sync.run({ documents: 'none' })).pulled).toBe(60);
    await work(100);
    // The token endpoint sends the time once; from then on every proof is right.
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(1);
  });

  it('with a clock that jumps forth and back during a round', async () => {
    wrongByMs = 0;
    await openDesk();
    await desk.sync.run({ documents: 'none' });
    for (const [round, jumpMs] of [2 * hour, -3 * hour, hour].entries()) {
      const rounds = work(200 + round);
      wrongByMs += jumpMs;
      await rounds;
      await work(300 + round);
    }
    // Once for the first time of all, and once for each jump at most.
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(4);
  });
});
