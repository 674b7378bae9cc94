import { fileNameMaxLength } from '#shared/api/limits.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import { type AttachmentDetails, type FileKind, kindOf } from '#shared/photos/details.ts';

/** What a name can be put together from, in braces: `{key}_{n}_{kind}`. */
export const nameTokens = ['key', 'n', 'kind', 'name', 'date', 'time', 'caption'] as const;

interface NamedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly isSalvageSale: boolean;
  readonly details: Pick<AttachmentDetails, 'kind' | 'caption' | 'takenAt'>;
}

export interface NameSource {
  readonly key: string;
  /** Of a file without a time of capture: YYYY-MM-DD */
  readonly date: string;
  /** How the user's language calls each kind. */
  readonly kindName: (kind: FileKind) => string;
}

/**
 * New names of files in their order: the template filled in, what a name may not contain left out,
 * cut to 255 characters, no two alike, and each with the extension that it had.
 */
export function namesByTemplate(
  template: string,
  files: readonly NamedFile[],
  source: NameSource,
): string[] {
  const digits = Math.max(2, String(files.length).length);
  const taken = new Set<string>();
  return files.map((file, index) => {
    const extension = extensionOf(file.fileName);
    const end = extension === '' ? '' : `.${extension}`;
    const stem = extension === '' ? file.fileName : file.fileName.slice(0, -end.length);
    const { takenAt, caption } = file.details;
    const values: Readonly<Record<(typeof nameTokens)[number], string>> = {
      key: source.key,
      n: String(index + 1).padStart(digits, '0'),
      kind: source.kindName(kindOf(file)),
      name: stem,
      date: takenAt?.slice(0, 10) ?? source.date,
      time: takenAt?.slice(11, 16).replace(':', '') ?? '',
      caption,
    };
    const filled = template.replaceAll(/\{(\w+)\}/g, (token, name: string) =>
      Object.hasOwn(values, name) ? values[name as keyof typeof values] : token,
    );
    // A point in a name without an extension would begin one, which the content must then match.
    const safe = allowed(extension === '' ? filled.replaceAll('.', '-') : filled);
    return unique(safe || values.n, end, taken);
  });
}

/** Without separators and control characters, which no file name has here. */
const allowed = (text: string) =>
  text
    .replaceAll(/[/\\\p{Cc}]/gu, '-')
    // What an empty part leaves between its separators.
    .replaceAll(/([_ -])[_ -]*\1/g, '$1')
    .replaceAll(/^[\s.]+|[\s._-]+$/g, '')
    .toWellFormed();

function unique(stem: string, end: string, taken: Set<string>): string {
  for (let copy = 1; ; copy += 1) {
    const tail = copy === 1 ? end : `_${copy}${end}`;
    const name = cutText(stem, fileNameMaxLength - tail.length) + tail;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

/** At most this number of UTF-16 units, never through the middle of a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end);
}
