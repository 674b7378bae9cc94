import { temporaryFolder } from '../support/processes.ts';
import { runPaced } from '../support/paced-run.ts';
import { printFigure } from './figures.ts';

const size = { cases: 5000, documents: 60, claimBytes: 2500 };

for (const shared of [false, true]) {
  const folder = temporaryFolder();
  try {
    const run = await runPaced({ dir: folder.path, ...size, shared });
    const beside = shared ? ', beside another program that uses half of the limits' : '';
    const what = `first sync of ${size.cases} cases, then ${size.documents} documents${beside}`;
    const isSubmitted = run.statuses.every((status) => status === 'Submitted');
    if (
      run.waiting + run.attention > 0 ||
      run.documents.length !== size.documents ||
      !isSubmitted
    ) {
      throw new Error(`${what}: not everything was delivered`);
    }
    printFigure({
      what: `${what}: time over the best that the buckets allow (${Math.round(run.bestMs / 1000)} s)`,
      figure: run.tookMs / run.bestMs,
      unit: 'times',
      limit: 1.05,
    });
    if (!shared) {
      printFigure({
        what: `${what}: answers of 429`,
        figure: run.throttled,
        unit: 'answers',
        limit: 0,
      });
    }
  } finally {
    folder.remove();
  }
}
