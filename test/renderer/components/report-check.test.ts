import { noDetails } from '#shared/photos/details.ts';
import { expect, test } from 'vitest';
import { checkReport } from '#renderer/composables/report-check.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';

const [found] = createFakeEngine({ count: 5, today: '2026-06-15' }).cases.values();
if (!found) throw new Error('no case was made');
const detail = { ...found, status: 'Accepted', costEstimateAmount: 2, approvedAmount: 1 };
const pdf = {
  id: 'a',
  fileName: 'a.pdf',
  contentType: 'application/pdf',
  sizeBytes: 1,
  sha256: '',
  isSalvageSale: false,
  details: noDetails,
};
const draft: ReportDraft = {
  id: 'd',
  caseId: 'c',
  comment: '',
  attachments: [pdf],
  createdAt: '',
  updatedAt: '',
  queueId: null,
  estimatedUploadMs: 1,
};
const fine = { draft, detail, commentLength: 0, adding: 0, work: null, refused: 0 };

test.each([
  [{}, [], []],
  [{ draft: { ...draft, attachments: [] } }, ['noFiles'], []],
  [{ adding: 1, draft: { ...draft, attachments: [] } }, ['adding'], []],
  [{ work: 'photos' as const }, ['photos'], []],
  [{ work: 'names' as const }, ['names'], []],
  [{ commentLength: 4001 }, ['commentTooLong'], []],
  [{ detail: { ...detail, status: 'Final' } }, ['status'], []],
  [{ detail: { ...detail, status: 'SomethingNew' } }, [], []],
  [{ refused: 2 }, [], ['refusedFiles']],
  [{ draft: { ...draft, attachments: [pdf, { ...pdf, id: 'b' }] } }, [], ['duplicates']],
  [{ draft: { ...draft, attachments: [{ ...pdf, contentType: 'image/jpeg' }] } }, [], ['noPdf']],
  [{ detail: { ...detail, approvedAmount: null } }, [], ['noAmounts']],
])('%j', (change, blockers, hints) => {
  expect(checkReport({ ...fine, ...change })).toMatchObject({ blockers, hints });
});
