import { expect, it } from 'vitest';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { moneyDocuments, moneyPdf } from '../../../support/money-documents.ts';
import { faultLog } from '../../../support/fault-log.ts';

it('offers the right total of estimates and invoices, and no wrong one', async () => {
  const reader = new PdfTextReader(faultLog);
  const wrong: unknown[] = [];
  const missed: unknown[] = [];
  const withLines: string[] = [];
  const { signal } = new AbortController();
  for (const document of moneyDocuments) {
    const bytes = Uint8Array.from(await moneyPdf(document));
    const read = await reader.read(bytes, { timeoutMs: 60_000, signal });
    if (read?.estimate) {
      withLines.push(document.name);
      const { totalRappen, positions } = read.estimate;
      const isRight = document.total === `CHF ${String(totalRappen)}` && positions.length <= 3;
      if (!isRight) wrong.push({ name: document.name, estimate: read.estimate });
    }
    const offers = (read?.totals ?? []).toSorted((one, other) => one.rank - other.rank);
    const shown = offers.map(({ currency, rappen }) => `${currency} ${String(rappen)}`);
    const allowed = [document.total, ...document.parts.map((rappen) => `CHF ${String(rappen)}`)];
    if (shown.some((one) => !allowed.includes(one))) wrong.push({ name: document.name, shown });
    if ((shown[0] ?? null) !== document.total) missed.push({ name: document.name, shown });
  }
  await reader.end();
  expect(moneyDocuments).toHaveLength(60);
  expect(wrong).toEqual([]);
  expect(missed).toEqual([]);
  // In the others the lines do not add up to the total.
  const kinds = ['taxed', 'untaxed', 'pages', 'all-taxes'];
  const expected = ['de', 'fr', 'it', 'en'].flatMap((language) =>
    kinds.map((kind) => `${language}-${kind}.pdf`),
  );
  expect(withLines.toSorted()).toEqual(expected.toSorted());
});
