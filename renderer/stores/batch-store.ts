import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Batch, BatchAttachment } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { leftOutNames, mailFileNames } from '#shared/lib/mail-files.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import type { PlacedFile } from '../lib/files.ts';
import { readMail } from '../lib/mail/read-mail.ts';
import { throttleByKey } from '../lib/tasks.ts';
import { useAttempt } from '../composables/use-attempt.ts';
import { useTransport } from '../transport/transport.ts';
import { useBatchForecast } from './batch-forecast.ts';
import { useBatchIntake } from './batch-intake.ts';
import { staysBehind, useRowOrder, useShownRows } from './batch-rows.ts';
import { useBatchSearch } from './batch-search.ts';
import { useBatchSheet } from './batch-sheet.ts';
import { useBatchTemplate } from './batch-template.ts';
import { forAll, useBatchTexts } from './batch-texts.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** The interval between two readings. The batch is long, and each of its files causes an event. */
const readEveryMs = 500;

/**
 * Many files of many cases, matched by their names, which are queued as one report per case. The
 * engine stores the batch from the drop on, and this window sends the files.
 */
// oxlint-disable-next-line max-lines-per-function -- one batch, whose acts are short; what they do is in batch-*.ts
export const useBatchStore = defineStore('batch', () => {
  const { client, files } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const batch = shallowRef<Batch | null>(null);
  const { placeOf, headOf, hasPlace, ...ordering } = useRowOrder(batch);
  const { sortRows } = ordering;
  const queueing = shallowRef(false);
  const { problem, attempt } = useAttempt();
  const intake = useBatchIntake(take);
  const { adding, isTaking, isTakenElsewhere } = intake;
  const { typing, type, saveAll, forgetOthers } = useBatchTexts(take, attempt);
  const { searches, keepOnly, ...searching } = useBatchSearch((path, part) => change(path, part));

  const rows = useShownRows(batch, { adding, typing, searches, placeOf, headOf });
  const open = computed(() => rows.value.filter(({ state }) => state !== 'queued'));
  const ready = computed(() => rows.value.filter(({ outcome }) => outcome === 'ready'));
  /** The rows that are not queued now. The shown count and the filter use these rows. */
  const left = computed(() => rows.value.filter(staysBehind));
  const sheets = useBatchSheet(batch, take, attempt);
  const { sheet } = sheets;
  const isUnfinished = computed(() => open.value.length > 0 || sheet.value !== null);

  const { templates, forgetUnfilled, queueFilled } = useBatchTemplate(batch, take, attempt);
  const forecasts = useBatchForecast(ready, sheet);

  function take(answer: { batch: Batch | null }): void {
    // Another batch may have files with the same names.
    if (answer.batch?.id !== batch.value?.id) keepOnly(new Set());
    batch.value = answer.batch;
    intake.noteRead(answer.batch);
    const paths = new Set(answer.batch?.rows.map(({ path }) => path));
    if ([...paths].some((path) => !hasPlace(path))) sortRows();
    keepOnly(paths);
    forgetOthers(answer.batch);
  }

  async function load(): Promise<void> {
    await attempt(async () => take(await client.batch.get()));
    // A window that was closed or killed may have left photos that are not ready.
    if (batch.value) void intake.finishPhotos(batch.value);
  }

  /** Announces the names first, so that the drop is recorded before any byte is read. */
  async function add(placed: readonly PlacedFile[]): Promise<void> {
    const files = placed.filter(({ path }) => !isSystemFile(path) && !adding.has(path));
    const leftOut = placed.map(({ path }) => path).filter(isSystemFile);
    if (files.length === 0 && leftOut.length === 0) return;
    forgetUnfilled();
    await attempt(async () => {
      const announced = files.map(({ path, file }) => ({ path, sizeBytes: file.size }));
      const answer = await client.batch.announce({ files: announced, leftOut });
      if (answer.batch) {
        const taking = intake.takeAll(answer.batch.id, files);
        take(answer);
        sortRows();
        await taking;
      }
    });
    sortRows();
  }

  /** Adds the files that a mail of the batch carries as files of the mail's case. */
  const addFilesOf = (path: string, { draftId, id }: BatchAttachment, unnamed: string) =>
    attempt(async () => {
      const content = await readWhole(files.attachmentUrl(draftId, id));
      const mail = await readMail(new Uint8Array(await content.arrayBuffer()));
      if (mail === null) throw new DeskError('file_unchecked', { fileName: path });
      const names = mailFileNames(mail.attachments, unnamed);
      const placed = mail.attachments.flatMap((file, index) => {
        const name = names[index];
        if (name === undefined) return [];
        return [{ path: `${path}/${name}`, file: new File([file.content], name) }];
      });
      await add(placed);
      const leftOut = leftOutNames(mail, unnamed);
      if (leftOut.length > 0)
        throw new DeskError('mail_files_left_out', {
          fileName: path,
          n: leftOut.length,
          names: leftOut.join(', '),
        });
    });

  const change = (path: string, part: Omit<Parameters<typeof client.batch.change>[0], 'paths'>) =>
    attempt(async () => take(await client.batch.change({ paths: [path], ...part })));

  /** Sets the user's choice for every file that is not queued yet. */
  const setSalvageForAll = (isSalvageSale: boolean) =>
    attempt(async () => {
      const paths = open.value.map(({ path }) => path);
      take(await client.batch.change({ paths, isSalvageSale }));
    });

  const comment = computed(() => typing.get(forAll) ?? batch.value?.comment ?? '');

  const removeQueued = () => attempt(async () => take(await client.batch.removeQueued()));

  /** Removes a file from the batch. The user can take this back. */
  const remove = (path: string) =>
    undos.acting(() =>
      attempt(async () => {
        await saveAll();
        take(await client.batch.remove({ paths: [path] }));
        const undo = async () => take(await client.batch.restore({ paths: [path] }));
        undos.offer({ key: 'undo.batch', params: { n: 1 }, undo });
      }),
    );

  /** Discards the batch. Only the user does this, and can take it back. */
  const discard = () =>
    undos.acting(() =>
      attempt(async () => {
        const n = rows.value.length;
        await saveAll();
        take(await client.batch.discard());
        forgetUnfilled();
        const undo = async () => take(await client.batch.takeBack());
        undos.offer({ key: 'undo.batch', params: { n }, undo });
      }),
    );

  async function queueAll(): Promise<void> {
    if (queueing.value || isTaking.value || isTakenElsewhere.value) return;
    queueing.value = true;
    await attempt(async () => {
      await saveAll();
      take(await queueFilled());
    });
    queueing.value = false;
    sortRows();
  }

  const readSoon = throttleByKey(
    readEveryMs,
    () => void client.batch.get().then(take, () => undefined),
  );
  live.on((event) => {
    // The next act of the user shows a failure of this reading.
    if (event.type === 'batch.changed') readSoon('batch');
    if (event.type === 'workspace.changed') {
      take({ batch: null });
      void load();
    }
  });
  live.onResumed(() => void load());

  return {
    batch,
    rows,
    open,
    left,
    ready,
    ...forecasts,
    problem,
    busy: queueing,
    isTaking,
    isTakenElsewhere,
    adding,
    isUnfinished,
    comment,
    typing,
    type,
    ...sheets,
    ...templates,
    load,
    ...ordering,
    addressOf: ({ draftId, id }: BatchAttachment) => files.attachmentUrl(draftId, id),
    add,
    addFilesOf,
    change,
    ...searching,
    setSalvageForAll,
    remove,
    removeQueued,
    discard,
    queueAll,
  };
});
