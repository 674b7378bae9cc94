import { temporaryFolder } from '../support/processes.ts';
import { meanOf, runOffice, type Office } from '../support/office-run.ts';
import { printFigure, quantile } from './figures.ts';

/** Half an hour at the end of a day. Every laptop waits in it at most twice as long as the mean one. */
const office: Office = {
  laptops: 300,
  pollEveryS: 300,
  deliverers: 10,
  reportsEach: 40,
  minutes: 30,
  timesFaster: 6,
};

const folder = temporaryFolder();
try {
  const run = await runOffice(folder.path, office);
  const reports = office.deliverers * office.reportsEach;
  const isWhole =
    run.documents.length === reports &&
    new Set(run.documents).size === reports &&
    run.statuses.every((status) => status === 'Submitted');
  if (!isWhole) throw new Error('not every report was delivered once');
  const means = run.waitsByLaptop.map(meanOf);
  const slowest = (part: number) =>
    Math.max(...run.waitsByLaptop.map((waits) => quantile(waits, part))) / 1000;
  const figures: [what: string, figure: number, unit: string, limit: number][] = [
    ['most requests to the partner in a minute', Math.max(...run.perMinute), 'requests', 200],
    ['answers 429 of the partner', run.throttled, 'answers', 0],
    ['laptops that saw a new case', run.seenBy, 'laptops', office.laptops],
    ['the last laptop saw it after', run.lastSeenMs / 1000, 's', 360],
    ['wait of a poll, p50', quantile(run.pollsMs, 0.5) / 1000, 's', 1],
    ['wait of a poll, p95', quantile(run.pollsMs, 0.95) / 1000, 's', 5],
    ['wait of a change, p50', quantile(run.changesMs, 0.5) / 1000, 's', 20],
    ['wait of a change, p95', quantile(run.changesMs, 0.95) / 1000, 's', 60],
    ['wait of a change of the slowest laptop, p50', slowest(0.5), 's', 20],
    ['wait of a change of the slowest laptop, p95', slowest(0.95), 's', 60],
    ['longest mean wait of a laptop', Math.max(...means) / meanOf(means), 'of the mean', 2],
    ['age of the pull, p95', quantile(run.pullAgesS, 0.95), 's', 60],
    ['processor, with the partner and the laptops', run.cpuMs / 1000, 's', 600],
    ['memory, with the partner and the laptops', run.peakMb, 'MB', 1500],
  ];
  for (const [what, figure, unit, limit] of figures) {
    const size = `${office.laptops} laptops, ${reports} reports in ${office.minutes} minutes`;
    printFigure({ what: `gateway, ${size}: ${what}`, figure, unit, limit });
  }
} finally {
  folder.remove();
}
