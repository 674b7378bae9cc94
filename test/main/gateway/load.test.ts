import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printLoad, runGatewayLoad, type Load } from '../../support/gateway-load.ts';
import { smokeOrLong } from '../../support/long.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createDatabase, databaseOf, dropDatabase } from '../service/support/database.ts';

/*
 * What an office notices of the limits, in simulated time: fair waits, true announcements, and own
 * reading that does not go before the people. With PostgreSQL there are two processes.
 */

async function runLoad(load: Omit<Load, 'database'>) {
  const folder = temporaryFolder();
  const database = join(folder.path, randomUUID());
  await createDatabase(database);
  try {
    const run = await runGatewayLoad(folder.path, { ...load, database: databaseOf(database) });
    printLoad(load.scenario, run);
    expect(run.throttled).toBe(0);
    return run;
  } finally {
    await dropDatabase(database);
    folder.remove();
  }
}

test('load: laptops that send documents at once wait equally, and as long as they were told', async () => {
  const { waits, roundMs, firstDoneMs, lastDoneMs } = await runLoad({
    scenario: 'documents',
    laptops: smokeOrLong(12, 300),
    each: 3,
    cases: smokeOrLong(12, 300),
  });
  const sorted = waits.map(({ realMs }) => realMs).toSorted((a, b) => a - b);
  expect((sorted[Math.floor(sorted.length * 0.95)] ?? 0) / roundMs).toBeLessThanOrEqual(1.5);
  expect((sorted.at(-1) ?? 0) / roundMs).toBeLessThanOrEqual(2);
  // Equal work is done in the last round: nobody is through while others have begun.
  expect(lastDoneMs - firstDoneMs).toBeLessThanOrEqual(1.5 * roundMs);
  const told = waits.filter(({ toldMs }) => toldMs > 0);
  expect(told.length).toBeGreaterThan(0);
  const isTrue = ({ toldMs, realMs }: (typeof told)[number]) =>
    Math.abs(realMs - toldMs) <= Math.max(realMs / 4, 6000);
  expect(told.filter(isTrue).length / told.length).toBeGreaterThanOrEqual(0.9);
}, 1_200_000);

// Cases at the partner; a page of the list has 200.
test.each([
  // The whole list takes the same turns as an import, for more pages.
  ...smokeOrLong([], [['whole-list', 10_000] as const]),
  ['unsure-case', smokeOrLong(600, 10_000)] as const,
  ['import', smokeOrLong(1000, 10_000)] as const,
])(
  'load: a comment does not wait for the own reading of the gateway (%s)',
  async (scenario, cases) => {
    const { waits, roundMs } = await runLoad({
      scenario,
      laptops: 6,
      cases,
    });
    expect(waits).toHaveLength(6);
    // A third of the turns is the gateway's own.
    expect(Math.max(...waits.map(({ realMs }) => realMs)) / roundMs).toBeLessThanOrEqual(2);
  },
  600_000,
);
