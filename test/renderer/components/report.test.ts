import { expect, test } from 'vitest';
import { flushPromises } from '@vue/test-utils';
import { noDetails } from '#shared/photos/details.ts';
import { checkReport } from '#renderer/composables/report-check.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';
import DropArea from '#renderer/components/report/DropArea.vue';
import { fileEntry, folderEntry, transferOf } from '../fixtures/dropped.ts';
import { mountView } from '../fixtures/mount-view.ts';

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
const fine = { draft, detail, commentLength: 0, adding: false, work: null, refused: 0 };

test.each([
  [{}, [], []],
  [{ draft: { ...draft, attachments: [] } }, ['noFiles'], []],
  [{ adding: true, draft: { ...draft, attachments: [] } }, ['adding'], []],
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

test('a folder that is dropped on a report brings its files, beside the single ones', async () => {
  const wrapper = mountView(DropArea, { props: {} });
  const photos = folderEntry('Fotos', [fileEntry('Fotos/2.jpg'), fileEntry('Fotos/1.jpg')]);
  const dropped = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(dropped, { dataTransfer: transferOf(fileEntry('Gutachten.pdf'), photos) });
  await flushPromises();
  wrapper.get('.zone').element.dispatchEvent(dropped);
  await flushPromises();
  const [files] = wrapper.emitted<[File[]]>('files')?.[0] ?? [];
  expect(files?.map(({ name }) => name)).toEqual(['Gutachten.pdf', '1.jpg', '2.jpg']);
  expect(wrapper.emitted('files')).toHaveLength(1);
});
