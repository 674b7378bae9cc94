// @vitest-environment node
import { expect, test } from 'vitest';
import type { DeliveryProof, QueueItem, QueueStep } from '#shared/desk/delivery/queue.ts';
import {
  deliveryProofs,
  proofColumns,
  proofsCsv,
  proofsPdf,
  type ProofTexts,
} from '#renderer/lib/delivery-proofs.ts';
import { queueItem, queueStep } from '../../support/desk-records.ts';
import { stringsOfPdf } from '../../support/sample-files.ts';

const proof = (at: string): DeliveryProof => ({
  at,
  status: 201,
  correlationId: `c-${at}`,
  serverId: null,
  sizeBytes: null,
  sha256: null,
});
const step = (id: number, part: Partial<QueueStep>) => queueStep({ id, ...part });
const item = (part: Partial<QueueItem>) => queueItem({ state: 'delivered', attempts: 1, ...part });
const texts: ProofTexts = {
  heading: (column) => `<${column}>`,
  localTime: (iso) => `local ${iso}`,
  what: ({ kind }) => `a ${kind}`,
  value: ({ act }) => (act.kind === 'comment' ? act.text : ''),
};

test('a report has a proof of each request, oldest first, and none of what is not delivered', () => {
  const report = item({
    delivered: proof('2026-06-15T10:03:00Z'),
    steps: [
      step(1, { kind: 'draft', delivered: proof('2026-06-15T10:00:00Z') }),
      step(2, { fileName: 'b.pdf', delivered: proof('2026-06-15T10:02:00Z') }),
      step(3, { fileName: 'a.pdf', delivered: proof('2026-06-15T10:01:00Z') }),
      step(4, { fileName: 'c.pdf' }),
      step(5, { kind: 'submit', delivered: proof('2026-06-15T10:03:00Z') }),
    ],
  });
  expect(deliveryProofs([report]).map(({ kind, fileName }) => [kind, fileName])).toEqual([
    ['draft', ''],
    ['document', 'a.pdf'],
    ['document', 'b.pdf'],
    ['submit', ''],
  ]);
});

test('an act without steps is proven by itself, and acts of several cases stand by time', () => {
  const comment = item({ kind: 'comment', delivered: proof('2026-06-15T12:00:00Z') });
  const amounts = item({
    kind: 'amounts',
    externalKey: 'K-2',
    delivered: proof('2026-06-15T11:00:00Z'),
    steps: [step(1, { kind: 'amounts' })],
  });
  const waiting = item({ kind: 'reopen', state: 'waiting' });
  const proofs = deliveryProofs([comment, waiting, amounts]);
  expect(proofs.map(({ externalKey, kind }) => [externalKey, kind])).toEqual([
    ['K-2', 'amounts'],
    ['K-1', 'comment'],
  ]);
});

test('the sheet has a column for all that is proven, local time next to UTC, and both clocks', () => {
  const document = step(1, {
    fileName: 'a.pdf',
    delivered: {
      ...proof('2026-06-15T10:01:00Z'),
      sizeBytes: 7,
      sha256: 'ff',
      serverId: 'S',
      laptopAt: '2026-06-15T10:07:00.000Z',
      seenAt: '2026-06-15T10:08:00.000Z',
    },
  });
  const [head, row] = proofsCsv(deliveryProofs([item({ steps: [document] })]), texts).split('\r\n');
  expect(head).toBe(`\uFEFF${proofColumns.map((column) => `<${column}>`).join(';')}`);
  expect(row).toBe(
    'local 2026-06-15T10:01:00Z;2026-06-15T10:01:00.000Z;2026-06-15T10:07:00.000Z;6;2026-06-15T10:08:00.000Z;K-1;Anna Muster;a document;;a.pdf;7;ff;201;c-2026-06-15T10:01:00Z;S',
  );
});

test('a label of the PDF that is wider than its column goes on in the next lines, and is not cut', async () => {
  const document = step(1, { fileName: 'a.pdf', delivered: proof('2026-06-15T10:01:00Z') });
  const heading = 'Heure de réception selon l’horloge du serveur de l’assureur';
  const drawing = {
    measure: (words: string, size: number) => words.length * size * 0.5,
    draw: () => Promise.reject(new Error('the fonts have every letter here')),
  };
  const made = { title: 'Attestation', notes: [] };
  const given = { ...texts, heading: () => heading };
  const pdf = await proofsPdf(made, deliveryProofs([item({ steps: [document] })]), given, drawing);
  const text = (await stringsOfPdf(pdf)).flat().join(' ');
  expect(text).not.toContain('…');
  for (const word of heading.split(' ')) expect(text).toContain(word);
});

test('the PDF of a case contains every word of a long comment, over as many pages as it takes', async () => {
  const text = Array.from({ length: 700 }, (_, n) => `Wort${n}`).join(' ');
  const comment = item({
    kind: 'comment',
    act: { kind: 'comment', text: `${text}\nzweite Zeile` },
    delivered: proof('2026-06-15T12:00:00Z'),
  });
  const drawing = {
    measure: (words: string, size: number) => words.length * size,
    draw: () => Promise.reject(new Error('the fonts have every letter here')),
  };
  const made = { title: 'Nachweis K-1', notes: ['Anna Keller'] };
  const pdf = await proofsPdf(made, deliveryProofs([comment, comment]), texts, drawing);
  const pages = await stringsOfPdf(pdf);
  const numbers = /^\d+ \/ \d+$/;
  const dense = pages
    .flat()
    .filter((text) => !numbers.test(text))
    .join('')
    .replaceAll(/\s/g, '');
  expect(pages.length).toBeGreaterThan(2);
  expect(dense.split(`${text}zweite Zeile`.replaceAll(' ', ''))).toHaveLength(3);
  expect(dense).toContain('<correlationId>c-2026-06-15T12:00:00Z');
});
