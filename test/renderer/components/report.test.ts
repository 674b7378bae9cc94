import { expect, test } from 'vitest';
import { flushPromises } from '@vue/test-utils';
import { noDetails } from '#shared/photos/details.ts';
import { droppedFiles } from '#renderer/lib/files.ts';
import { checkReport } from '#renderer/lib/report-check.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';
import DropArea from '#renderer/components/report/DropArea.vue';
import { mountView } from '../fixtures/mount-view.ts';

const [found] = createFakeEngine({ count: 5, today: '2026-06-15' }).cases.values();
if (!found) throw new Error('no case was made');
const detail = { ...found, status: 'Accepted', costEstimateRappen: 200, approvedRappen: 100 };
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
const unsaved = { isAny: false, completesAmounts: false };
const fine = {
  draft,
  detail,
  commentLength: 0,
  adding: false,
  work: null,
  refused: 0,
  showsOther: () => false,
  unsaved,
};
const noApproved = { ...detail, approvedRappen: null };

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
  [{ showsOther: () => true }, [], ['otherVehicle']],
  [{ draft: { ...draft, attachments: [pdf, { ...pdf, id: 'b' }] } }, [], ['duplicates']],
  [{ draft: { ...draft, attachments: [{ ...pdf, contentType: 'image/jpeg' }] } }, [], ['noPdf']],
  [
    {
      draft: { ...draft, attachments: [{ ...pdf, details: { ...noDetails, isProtected: true } }] },
    },
    [],
    ['protectedFiles'],
  ],
  [
    {
      draft: { ...draft, attachments: [{ ...pdf, details: { ...noDetails, looksDamaged: true } }] },
    },
    [],
    ['damagedFiles'],
  ],
  [
    {
      draft: { ...draft, attachments: [{ ...pdf, details: { ...noDetails, hidesAnswers: true } }] },
    },
    [],
    ['hiddenAnswers'],
  ],
  [{ detail: { ...noApproved, goneReason: 'forbidden' as const } }, ['gone'], ['noAmounts']],
  [{ detail: noApproved }, [], ['noAmounts']],
  [{ unsaved: { ...unsaved, isAny: true } }, [], ['unsaved']],
  [{ detail: noApproved, unsaved: { ...unsaved, isAny: true } }, [], ['noAmounts', 'unsaved']],
  [{ detail: noApproved, unsaved: { isAny: true, completesAmounts: true } }, [], ['unsaved']],
])('%j', (change, blockers, hints) => {
  expect(checkReport({ ...fine, ...change })).toMatchObject({ blockers, hints });
});

const placeOf = (path: string) => ({ name: path.split('/').at(-1) ?? '', fullPath: `/${path}` });

/** A file as a browser describes one that was dropped; `path` is its place in the drop. */
function fileEntry(path: string) {
  const { name, fullPath } = placeOf(path);
  const file = (taken: (file: File) => void) => taken(new File([path], name));
  return { isFile: true, isDirectory: false, name, fullPath, file };
}

/** A folder of such, which is read a hundred at a time as by Chromium. */
function folderEntry(path: string, entries: readonly object[]) {
  const createReader = () => {
    let read = 0;
    return {
      readEntries: (taken: (part: object[]) => void) => taken(entries.slice(read, (read += 100))),
    };
  };
  return { isFile: false, isDirectory: true, ...placeOf(path), createReader };
}

/** What is dropped: entries, or files that have none. */
function transferOf(...dropped: object[]): DataTransfer {
  const items = dropped.map((one) => ({
    kind: 'file',
    webkitGetAsEntry: () => (one instanceof File ? null : one),
    getAsFile: () => (one instanceof File ? one : null),
  }));
  return { items } as unknown as DataTransfer;
}

const pathsOf = async (transfer: DataTransfer) =>
  (await droppedFiles(transfer)).map(({ path }) => path);

test('a folder gives all its files by name, however deep and in however many parts it is read', async () => {
  const many = Array.from({ length: 250 }, (_, index) => fileEntry(`Fotos/a/${249 - index}.jpg`));
  const folder = folderEntry('Fotos', [
    fileEntry('Fotos/b.jpg'),
    folderEntry('Fotos/a', many),
    fileEntry('Fotos/10.jpg'),
  ]);
  expect(await pathsOf(transferOf(fileEntry('zuerst.pdf'), folder))).toEqual([
    'zuerst.pdf',
    'Fotos/10.jpg',
    ...Array.from({ length: 250 }, (_, index) => `Fotos/a/${index}.jpg`),
    'Fotos/b.jpg',
  ]);
});

test('what cannot be read comes as an empty file, which is refused by name, and a file without a place on a disk is taken', async () => {
  const locked = {
    ...fileEntry('gesperrt.pdf'),
    file: (_taken: unknown, failed: () => void) => failed(),
  };
  const picture = new File(['picture'], 'image.png');
  expect(
    await pathsOf(transferOf(locked, folderEntry('leer', []), picture, fileEntry('da.pdf'))),
  ).toEqual(['gesperrt.pdf', 'image.png', 'da.pdf']);
});

test('a folder that is dropped on a report adds its files to the single ones', async () => {
  const wrapper = mountView(DropArea, { props: { hasFiles: false } });
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
