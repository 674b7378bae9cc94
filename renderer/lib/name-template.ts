import { trimEndOf } from '#shared/lib/trim-end.ts';
import { fileNameMaxLength } from '#shared/api/limits.ts';
import { cutText } from '#shared/lib/cut-text.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import { type AttachmentDetails, type FileKind, kindOf } from '#shared/photos/details.ts';

/** The fields of a name template, in braces: `{key}_{n}_{kind}`. */
export const nameTokens = ['key', 'n', 'kind', 'name', 'date', 'time', 'caption'] as const;

interface NamedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly isSalvageSale: boolean;
  readonly details: Pick<AttachmentDetails, 'kind' | 'caption' | 'takenAt'>;
}

export interface NameSource {
  readonly key: string;
  /** The date of a file without a time of capture: YYYY-MM-DD. */
  readonly date: string;
  /** The name of each kind in the user's language. */
  readonly kindName: (kind: FileKind) => string;
}

/**
 * New names of files in their order. The template is filled, characters that a name must not
 * contain are removed, and the name is cut to 255 characters. No two names are equal, and each file
 * retains its extension.
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
    // If the file has no extension, a dot in the name would begin one, which the content would have
    // to match.
    const safe = allowed(extension === '' ? filled.replaceAll('.', '-') : filled);
    return unique(safe || values.n, end, taken);
  });
}

/** Removes separators and control characters, which a file's name must not contain. */
const allowed = (text: string) => {
  const plain = text
    .replaceAll(/[/\\\p{Cc}]/gu, '-')
    .replaceAll(/\s/g, ' ')
    // An empty field leaves two separators, one of which is removed.
    .replaceAll(/([_ -])[_ -]*\1/g, '$1')
    .replace(/^[ .]+/, '');
  return trimEndOf(plain, ' ._-').toWellFormed();
};

function unique(stem: string, end: string, taken: Set<string>): string {
  for (let copy = 1; ; copy += 1) {
    const tail = copy === 1 ? end : `_${copy}${end}`;
    const name = cutText(stem, fileNameMaxLength - tail.length) + tail;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
