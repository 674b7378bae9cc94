import { computed, type Ref } from 'vue';
import type { Batch, SheetChoice } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { sheetMaxBytes } from '#shared/desk/contract/message-limit.ts';
import { readingOf } from '../lib/chosen-file.ts';
import { base64Of } from '../lib/files.ts';
import { useTransport } from '../transport/transport.ts';

/** @throws {DeskError} file_too_large */
function assertSheetSize({ name: fileName, size: sizeBytes }: File): void {
  if (sizeBytes > sheetMaxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: sheetMaxBytes });
}

/** The sheet with amounts and comments that is part of the batch. */
export function useBatchSheet(
  batch: Ref<Batch | null>,
  take: (answer: { batch: Batch | null }) => void,
  attempt: (act: () => Promise<unknown>) => Promise<unknown>,
) {
  const { client } = useTransport();
  const sheet = computed(() => batch.value?.sheet ?? null);
  const isSheetBad = computed(() => (sheet.value?.read.problems.length ?? 0) > 0);

  const readSheet = (file: File) =>
    attempt(async () => {
      assertSheetSize(file);
      const contentBase64 = await readingOf(file.name, base64Of(file));
      take(await client.batch.setSheet({ fileName: file.name, contentBase64 }));
    });
  const chooseLines = (choice: SheetChoice) =>
    attempt(async () => take(await client.batch.chooseLines(choice)));
  const removeSheet = () => attempt(async () => take(await client.batch.removeSheet()));

  return { sheet, isSheetBad, readSheet, chooseLines, removeSheet };
}
