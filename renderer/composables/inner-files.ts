import { onBeforeUnmount, shallowRef, watch } from 'vue';
import { typeOfName } from '#shared/lib/file-type.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { closeInnerBytes, openInnerBytes } from '../lib/inner-bytes.ts';

/** A file inside a document: in a mail, or embedded in a PDF. Its name is not trusted. */
export interface InnerFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A file that is shown. Its id is the address of its bytes. */
interface OpenedFile {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * The files that are opened from a document, or from one another. The last one is shown.
 * @param current returns the id of the document; if it changes, the files are closed
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

  /** Returns to the file or document from which the last one was opened. */
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
