import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { tryOutage, type Outage } from '../support/laboratory.ts';

/*
 * PostgreSQL, bucket, disk, partner and proxy are taken away from servers under load. The long form
 * prints the table of docs/benchmarks.md.
 */

const takenFrom = {
  service: ['database', 'bucket', 'disk', 'proxy'],
  gateway: ['database', 'bucket', 'disk', 'partner', 'proxy'],
} as const;

/** `npm test` takes away for a second what differs most; the long form everything, for 2 to 60 s. */
const short: Outage[] = [
  { server: 'service', taken: 'database', by: 'refused', processes: 2, forMs: 1000 },
  { server: 'service', taken: 'disk', by: 'refused', processes: 1, forMs: 1000 },
  { server: 'gateway', taken: 'partner', by: 'refused', processes: 1, forMs: 1000 },
];
const servers = ['service', 'gateway'] as const;
const long = servers.flatMap((server) =>
  takenFrom[server].flatMap((taken) =>
    [1, 2].flatMap((processes): Outage[] => {
      // A disk belongs to one process.
      if (taken === 'disk' && processes === 2) return [];
      const of = { server, taken, processes };
      const refused = [2, 10, 60].map((s): Outage => ({ ...of, by: 'refused', forMs: s * 1000 }));
      return taken === 'disk' ? refused : [...refused, { ...of, by: 'silent', forMs: 10_000 }];
    }),
  ),
);

/** What an answer that is no success may say; everything else is a fault. */
const sentences = [
  /^broken connection$/,
  /^500 the service failed; the operation was not carried out$/,
  /^500 the service failed, and it is not known whether the operation was carried out; the same request with the same Idempotency-Key tells$/,
  /^500 the storage for documents cannot be reached$/,
];
/** What may be said of the partner alone. */
const ofPartner = [
  /^503 the request was not carried out; of the partner: /,
  /^503 the partner did not answer; it may have carried the request out$/,
];

/** The connections of a process: its pools, two of a start, one that listens. */
const connectionsOfProcess = { service: 18, gateway: 19 };

test.each(isLong ? long : short)(
  'laboratory: $server, $processes process(es), $taken $by for $forMs ms',
  async (outage) => {
    const found = await tryOutage(outage);
    const { server, processes, taken, by, forMs } = outage;
    if (isLong) {
      process.stdout.write(`laboratory: ${JSON.stringify({ ...outage, ...found })}\n`);
    }
    expect(found.present).toBe(found.acknowledged);
    const known = taken === 'partner' ? [...sentences, ...ofPartner] : sentences;
    expect(found.refusals.filter((said) => !known.some((one) => one.test(said)))).toEqual([]);
    expect(found.connectionsMax).toBeLessThanOrEqual(processes * connectionsOfProcess[server]);
    expect(found.exitCodes).toEqual(Array.from({ length: processes }, () => 0));
    // Of a silence of 10 s some requests never learn; of everything else somebody does.
    if (by === 'silent') return;
    expect(found.refusals, `${taken} ${String(forMs)}`).not.toEqual([]);
    // A silence is told when the first request has waited long enough.
    expect(found.wasTold).toBe(true);
  },
  240_000,
);
