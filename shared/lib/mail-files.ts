import { extensionOfType } from './file-type.ts';
import type { MailAttachment, MailMessage } from './read-message.ts';
import { safeFileName } from './safe-file-name.ts';

/**
 * The names under which the files of a mail are shown, saved and taken: safe, and each once.
 * @param unnamed stands for a file whose name the mail does not say
 */
export function mailFileNames(
  files: readonly Pick<MailAttachment, 'fileName' | 'contentType'>[],
  unnamed: string,
): string[] {
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return files.map(({ fileName, contentType }) => {
    const extension = extensionOfType(contentType);
    const nameless = extension === null ? unnamed : `${unnamed}.${extension}`;
    const name = safeFileName(fileName || nameless);
    const unique = numbered(name, used, numbers);
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** The names of the files that were not read, under which they would stand behind the others. */
export function leftOutNames(
  { attachments, leftOut }: Pick<MailMessage, 'attachments' | 'leftOut'>,
  unnamed: string,
): string[] {
  if (leftOut.length === 0) return [];
  return mailFileNames([...attachments, ...leftOut], unnamed).slice(attachments.length);
}

/** @param numbers the last number of each name, so that many equal names take no longer */
function numbered(name: string, used: ReadonlySet<string>, numbers: Map<string, number>): string {
  const point = name.lastIndexOf('.');
  const [stem, end] = point > 0 ? [name.slice(0, point), name.slice(point)] : [name, ''];
  const key = name.toLowerCase();
  for (let number = numbers.get(key) ?? 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${String(number)})${end}`;
    if (used.has(candidate.toLowerCase())) continue;
    numbers.set(key, number + 1);
    return candidate;
  }
}
