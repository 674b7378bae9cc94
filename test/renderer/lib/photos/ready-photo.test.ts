import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { locks } from 'node:worker_threads';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPinia } from 'pinia';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from 'vue';
import { attachmentView, type TakenFile } from '#main/engine/work/attachment-rows.ts';
import { openWork, type Work } from '#main/engine/work/open-work.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { unrecognized } from '../../../support/desk-records.ts';
import { pictureTypeOf } from '#shared/photos/picture-kinds.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { photoStudioKey, type PhotoStudio } from '#renderer/lib/photos/photo-studio.ts';
import {
  PhotoError,
  type PhotoAnswers,
  type PhotoTask,
  type PreparedPhoto,
} from '#renderer/lib/photos/photo-tasks.ts';
import { useBatchIntake } from '#renderer/stores/batch-intake.ts';
import { useCameraStore } from '#renderer/stores/camera-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { usePhotosStore } from '#renderer/stores/photos-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import type { FileAccess } from '#renderer/transport/files.ts';
import { type DeskClient, transportKey } from '#renderer/transport/transport.ts';

// One procedure from each entrance, over the real store of drafts; pixels are drawn in test/e2e.

Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });

/** What is made of a file, by its content. */
const made: Readonly<Record<string, readonly (string | null)[]>> = {
  '\xff\xd8\xff large': ['small'],
  '\xff\xd8\xff bare': [null],
  '\0\0\0\x18ftypheic\0\0\0\0mif1heic': ['of a telephone'],
  'II*\0 three pages': ['page 1', 'page 2', 'page 3'],
};
/** A region of a photo of four to three that is made unreadable. */
const withBlur: PhotoEdit = {
  ...noEdit,
  marks: [{ kind: 'blur', points: [100, 200, 300, 400], colour: 'red', width: 6, text: '' }],
};
const broken = 'II*\0 its second page is broken';
/** Never made, unless the work is given up. */
const endless = '\xff\xd8\xff endless';
const [jpeg = '', bare = '', heic = '', scan = ''] = Object.keys(made);

interface Desk {
  readonly work: Work;
  readonly draftId: string;
  readonly batchId: string;
  readonly files: FileAccess;
  /** Renditions that get through before the window dies. */
  crashAfter: number;
  readonly asked: PhotoTask[];
  readonly inWindow: <T>(use: () => T) => T;
}
let desk: Desk;

const textOf = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString('latin1');
const fileOf = (fileName: string, text: string) =>
  new File([Buffer.from(text, 'latin1')], fileName);

async function taken(file: File, isSeen: boolean): Promise<TakenFile> {
  const text = await textOf(file);
  const contentType = pictureTypeOf(file.name, new Uint8Array(Buffer.from(text, 'latin1')));
  return {
    fileName: file.name,
    contentType: contentType ?? 'text/plain',
    sizeBytes: text.length,
    sha256: createHash('sha256').update(text, 'latin1').digest('hex'),
    // The content is its own address here.
    blobId: text,
    isSalvageSale: false,
    found: { isBare: isSeen },
  };
}

/** The byte streams over a store of drafts. */
function filesOver(work: Work, current: () => Desk): FileAccess {
  const original = (draftId: string, id: string) => {
    const { details, blobId } = work.drafts.attachment(draftId, id);
    const bytes = Buffer.from(details.original?.blobId ?? blobId, 'latin1');
    return `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  };
  return {
    originalUrl: original,
    async addAttachment(draftId, file, { isSeen }) {
      return work.drafts.addAttachment(draftId, await taken(file, isSeen), isSeen);
    },
    async replaceAttachment(draftId, id, file, isSeen) {
      return work.drafts.replaceAttachment(draftId, id, await taken(file, isSeen), isSeen);
    },
    async addBatchFile(batchId, path, file, isSeen) {
      const one = await taken(file, isSeen);
      if (work.batches.hashOf(batchId, path) !== one.sha256)
        work.batches.setTaken(batchId, path, work.drafts.append(batchId, one, isSeen));
      return batchRow(work, batchId).attachment;
    },
    async setRendition(draftId, id, { file, rendition }) {
      const state = current();
      if (state.crashAfter === 0) throw new Error('the window is gone');
      state.crashAfter -= 1;
      return work.drafts.setRendition(draftId, id, await taken(file, true), rendition);
    },
  } as FileAccess;
}

function batchRow(work: Work, batchId: string) {
  const [first] = work.batches.files(batchId).flatMap(({ attachments }) => attachments);
  if (!first) return { path: 'a', attachment: null, problem: null };
  const { id, fileName, contentType, sizeBytes, details } = first;
  const isRaw = details.renderedVersion === null;
  const attachment = { id, draftId: batchId, fileName, contentType, sizeBytes, isRaw };
  return { path: 'a', attachment, problem: null };
}

/** The calls that the entrances need. */
function clientOver(work: Work, batchId: string): DeskClient {
  const view = (draftId: string) => {
    const draft = work.drafts.get(draftId);
    return { ...draft, attachments: draft.attachments.map(attachmentView) };
  };
  const answer = () => ({ batch: { id: batchId, rows: [batchRow(work, batchId)] } });
  const client = {
    reports: {
      getDraft: ({ draftId }: { draftId: string }) => Promise.resolve(view(draftId)),
      updateAttachment: (input: { draftId: string; attachmentId: string; details: object }) => {
        const { fileName, isSalvageSale } = work.drafts.attachment(
          input.draftId,
          input.attachmentId,
        );
        const change = { fileName, isSalvageSale, details: input.details };
        work.drafts.updateAttachment(input.draftId, input.attachmentId, change);
        return Promise.resolve(view(input.draftId));
      },
    },
    batch: { get: () => Promise.resolve(answer()), refuse: () => Promise.resolve(answer()) },
    camera: {
      offered: () => Promise.resolve({ items: [] }),
      folder: () => Promise.resolve(null),
      take: async ({ draftId, id }: { draftId: string; id: string }) => {
        const [fileName = '', text = ''] = id.split('|');
        work.drafts.addAttachment(draftId, await taken(fileOf(fileName, text), false));
        return {};
      },
    },
  };
  // Nothing else is called.
  return client as unknown as DeskClient;
}

function studioOf(asked: PhotoTask[]): PhotoStudio {
  return {
    async run<Task extends PhotoTask>(
      task: Task,
      signal?: AbortSignal,
    ): Promise<PhotoAnswers[Task['kind']]> {
      asked.push(task);
      const shown = { jpeg: new Blob() } as PhotoAnswers[Task['kind']];
      if (task.kind === 'picture') return shown;
      if (task.kind !== 'prepare') throw new Error('only preparing is asked for');
      const text = await textOf(task.content);
      if (text === endless)
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('given up'))),
        );
      if (text === broken) throw new PhotoError('cut_off');
      const all = (made[text] ?? []).map((page) => (page === null ? null : new Blob([page])));
      const pages = task.page === null ? all : all.slice(task.page, task.page + 1);
      const answer: PreparedPhoto = { pages, takenAt: null };
      // The answer of this kind.
      return answer as PhotoAnswers[Task['kind']];
    },
  };
}

let work: Work;
const dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
beforeAll(() => {
  work = openWork({ dir, keyHex: 'ab'.repeat(32), now: () => 0, newId: () => randomUUID() });
});
afterAll(() => {
  work.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  const { id: draftId } = work.drafts.create('case');
  const { id: batchId } = work.batches.begin(randomUUID());
  const asked: PhotoTask[] = [];
  const files = filesOver(work, () => desk);
  const app = createApp({})
    .use(createPinia())
    .provide(transportKey, { client: clientOver(work, batchId), files })
    .provide(photoStudioKey, studioOf(asked));
  const inWindow = <T>(use: () => T): T => app.runWithContext(use);
  desk = { work, draftId, batchId, files, asked, inWindow, crashAfter: Infinity };
});

/** Each way into a draft or a batch; a refusal may reject. */
const entrances: Readonly<Record<string, (file: File) => Promise<unknown>>> = {
  'dropped or pasted': (file) => desk.inWindow(useDraftFilesStore).addFiles(desk.draftId, [file]),
  async 'in the place of another file'(file) {
    const files = desk.inWindow(useDraftFilesStore);
    await files.addFiles(desk.draftId, [fileOf('note.txt', 'a note')]);
    const [note] = desk.work.drafts.get(desk.draftId).attachments;
    await files.replace(desk.draftId, note?.id ?? '', file);
  },
  async 'in a batch'(file) {
    const match = { ...unrecognized, path: 'a' };
    desk.work.batches.announce(desk.batchId, [{ match, sizeBytes: file.size }], []);
    const intake = desk.inWindow(() => useBatchIntake(() => undefined));
    await intake.takeAll(desk.batchId, [{ path: 'a', file }]);
  },
  async 'from the camera folder'(file) {
    const photo = { id: `${file.name}|${await textOf(file)}`, fileName: file.name, takenAt: '' };
    await desk.inWindow(useCameraStore).take(desk.draftId, [photo as never]);
  },
};

/** Files of the draft or the batch as they would be sent: name and content. */
const sent = () =>
  [desk.draftId, desk.batchId].flatMap((id) =>
    desk.work.drafts.get(id).attachments.map(({ fileName, blobId }) => [fileName, blobId]),
  );
const originals = () =>
  [desk.draftId, desk.batchId].flatMap((id) =>
    desk.work.drafts.get(id).attachments.map(({ details }) => details.original?.blobId ?? null),
  );
const pages = [
  ['scan.jpg', 'page 1'],
  ['scan.jpg', 'page 2'],
  ['scan.jpg', 'page 3'],
];

describe.each(Object.entries(entrances))('a picture that comes %s', (name, enter) => {
  it.each([
    ['a JPEG', 'front.jpg', jpeg, [['front.jpg', 'small']]],
    ['a small JPEG, as it is', 'front.jpg', bare, [['front.jpg', bare]]],
    ['a HEIC', 'IMG_1.HEIC', heic, [['IMG_1.jpg', 'of a telephone']]],
    ['a TIFF of three pages', 'scan.tif', scan, pages],
  ])('is made ready: %s', async (_, fileName, text, expected) => {
    await enter(fileOf(fileName, text));
    expect(sent()).toEqual(expected);
    const files = desk.work.drafts.get(desk.draftId).attachments;
    expect(files.filter(({ details }) => details.renderedVersion === null)).toEqual([]);
    // The engine takes a photo of the camera over before it is looked at.
    const isKept = text !== bare || name === 'from the camera folder';
    expect(originals()).toEqual(expected.map(() => (isKept ? text : null)));
    // Read and decoded once, whatever it has of pages.
    expect(desk.asked).toHaveLength(1);
  });

  it('is not sent if its second page is broken', async () => {
    await enter(fileOf('scan.tif', broken)).catch(() => undefined);
    const before = name === 'in the place of another file' ? [['note.txt', 'a note']] : [];
    // What the engine copied from a folder stays a draft that is not queued.
    const raw = name === 'from the camera folder' ? [['scan.tif', broken]] : [];
    expect(sent()).toEqual([...before, ...raw]);
  });

  it.each([0, 1, 2])('has all its pages after a crash behind %s of them', async (crashAfter) => {
    desk.crashAfter = crashAfter;
    await enter(fileOf('scan.tif', scan)).catch(() => undefined);
    expect(sent()).toHaveLength(1 + crashAfter);
    desk.crashAfter = Infinity;
    if (name === 'in a batch') {
      const intake = desk.inWindow(() => useBatchIntake(() => undefined));
      const rows = [batchRow(desk.work, desk.batchId)];
      await intake.finishPhotos({ id: desk.batchId, rows } as never);
    } else {
      // As the next window does.
      const { draftId } = desk;
      await desk.inWindow(usePhotosStore).catchUp(draftId);
    }
    expect(sent()).toEqual(pages);
  });
});

describe('a page that is edited', () => {
  it('is made again alone, and shows its change', async () => {
    const files = desk.inWindow(useDraftFilesStore);
    await files.addFiles(desk.draftId, [fileOf('scan.tif', scan)]);
    const second = desk.work.drafts.get(desk.draftId).attachments[1] as unknown as Attachment;
    const photos = desk.inWindow(usePhotosStore);
    const edit = { ...noEdit, turns: 1 };
    await photos.saveEdit(desk.draftId, second.id, { edit, editVersion: 0 });
    await photos.catchUp(desk.draftId);
    expect(desk.asked.at(-1)).toMatchObject({ page: 1, edit });
    expect(sent()).toEqual(pages);
    const [, { details } = second] = desk.work.drafts.get(desk.draftId).attachments;
    expect(details).toMatchObject({ editVersion: 1, renderedVersion: 1 });
  });

  it('keeps what was made unreadable after a turn that is taken back', async () => {
    vi.stubGlobal('createImageBitmap', () =>
      Promise.resolve({ width: 400, height: 300, close: () => undefined }),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const files = desk.inWindow(useDraftFilesStore);
    await files.addFiles(desk.draftId, [fileOf('front.jpg', jpeg)]);
    const id = desk.work.drafts.get(desk.draftId).attachments[0]?.id ?? '';
    const photos = desk.inWindow(usePhotosStore);
    await photos.turn(desk.draftId, [id]);
    const [mark] = withBlur.marks;
    const points = [750 - 200, 100, 750 - 400, 300];
    const edit = { ...withBlur, turns: 1, marks: [{ ...mark, points }] } as PhotoEdit;
    await photos.saveEdit(desk.draftId, id, { edit, editVersion: 1 });
    await desk.inWindow(useUndoStore).undo();
    expect(desk.inWindow(useUndoStore).problem).toBeNull();
    expect(files.filesOf(desk.draftId)[0]?.details.edit).toEqual(withBlur);
  });
});

it('waits for nobody if it is stopped', async () => {
  const files = desk.inWindow(useDraftFilesStore);
  desk.work.drafts.addAttachment(desk.draftId, await taken(fileOf('a.jpg', endless), false));
  await files.openDraft(desk.draftId);
  const photos = desk.inWindow(usePhotosStore);
  const making = photos.catchUp(desk.draftId);
  await vi.waitFor(() => expect(desk.asked).toHaveLength(1));
  photos.stop();
  await making;
  expect(photos.result).toMatchObject({ done: 0, failed: [], stopped: true });
});
