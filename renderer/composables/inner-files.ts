import { onBeforeUnmount, shallowRef, watch } from 'vue';
import { typeOfName } from '#shared/lib/file-type.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { closeInnerBytes, openInnerBytes } from './inner-bytes.ts';

/** A file inside of a document: in a mail, or embedded in a PDF. Its name comes from outside. */
export interface InnerFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** One that is shown; its id is the address of its bytes. */
interface OpenedFile {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * Files that are opened out of a document, and out of one another; the last one is shown.
 * @param current the document; with another one they are closed
 */
export function useInnerFiles(current: () => string) {
  const opened = shallowRef<readonly OpenedFile[]>([]);

  function open({ fileName: named, contentType, content }: InnerFile): void {
    const fileName = safeFileName(named);
    const id = openInnerBytes(new Blob([content]));
    const type = typeOfName(fileName) ?? contentType;
    const file = { id, fileName, contentType: type, sizeBytes: content.length };
    opened.value = [...opened.value, file];
  }

  /** Back to what the last one was opened out of. */
  function back(): void {
    const last = opened.value.at(-1);
    opened.value = opened.value.slice(0, -1);
    if (last) closeInnerBytes(last.id);
  }

  function closeAll(): void {
    for (const { id } of opened.value) closeInnerBytes(id);
    opened.value = [];
  }
  watch(current, closeAll, { flush: 'sync' });
  onBeforeUnmount(closeAll);
  return { opened, open, back };
}
