import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smokeOrLong, testLimitMs } from '../../support/long.ts';
import { meanOf, type Office, runOffice } from '../../support/office-run.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createDatabase, databaseOf, dropDatabase } from '../service/support/database.ts';

const inPostgres = databaseOf('') !== undefined;

const partners: readonly { how: string; partner: Pick<Office, 'isPartnerUnwell'> }[] = inPostgres
  ? [{ how: ', also if one of two gateways ends in the middle', partner: {} }]
  : [
      { how: '', partner: {} },
      {
        how: ', also if the partner is away and loses answers',
        partner: { isPartnerUnwell: true },
      },
    ];

test.for(partners)(
  'gateway: an office keeps the published limits, and every report arrives once$how',
  { timeout: smokeOrLong(testLimitMs, 1_200_000) },
  async ({ partner }, { signal }) => {
    const folder = temporaryFolder();
    const database = join(folder.path, randomUUID());
    await createDatabase(database);
    const office = smokeOrLong(
      { laptops: 4, pollEveryS: 20, deliverers: 2, reportsEach: 2, minutes: 1, timesFaster: 40 },
      {
        laptops: 300,
        pollEveryS: 300,
        deliverers: 10,
        reportsEach: 40,
        minutes: 30,
        timesFaster: 6,
      },
    );
    try {
      const run = await runOffice(
        folder.path,
        { ...office, ...partner, database: databaseOf(database) },
        signal,
      );
      expect(run.throttled).toBe(0);
      expect(run.seenBy).toBe(office.laptops);
      const reports = office.deliverers * office.reportsEach;
      expect(run.documents).toHaveLength(reports);
      expect(new Set(run.documents).size).toBe(reports);
      // Nobody waits more than twice the fair share.
      const means = run.waitsByLaptop.map(meanOf);
      expect(Math.max(...means)).toBeLessThanOrEqual(2 * meanOf(means));
      expect(run.statuses).toEqual(Array(reports).fill('Submitted'));
    } finally {
      await dropDatabase(database);
      folder.remove();
    }
  },
);
