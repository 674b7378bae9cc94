import type { PageLine, PageWord } from '#shared/lib/find-totals.ts';
import { wordsOf } from '#shared/lib/words.ts';
import createCore from 'tesseract.js-core/tesseract-core-simd-lstm.js';

/** The light values of a picture, row by row, one byte each. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A word as it was recognized. */
export interface ReadWord extends PageWord {
  /** How sure the recognition is, in per cent. */
  readonly confidence: number;
}

/** Recognizes printed text in a picture. */
export interface TextReader {
  /** @throws if Tesseract does not accept the picture */
  readonly read: (picture: GreyPicture) => (readonly ReadWord[])[];
}

/** The languages of Switzerland's insurers and garages, in the order in which they are tried. */
export const scanLanguages = ['deu', 'fra', 'ita', 'eng'] as const;
export type ScanLanguage = (typeof scanLanguages)[number];

/** Tesseract's mode that uses its neural network only (OEM_LSTM_ONLY). */
const neural = 1;

/**
 * Starts Tesseract. It gets only light values, so no file from outside reaches its own decoders.
 * @param dataOf returns the unpacked training data of a language
 */
export async function openTextReader(
  wasmBinary: Uint8Array<ArrayBuffer>,
  dataOf: Readonly<Record<ScanLanguage, Uint8Array>>,
): Promise<TextReader> {
  const ignore = () => undefined;
  const core = await createCore({
    wasmBinary,
    print: ignore,
    printErr: ignore,
    TesseractProgress: ignore,
  });
  for (const language of scanLanguages)
    core.FS.writeFile(`./${language}.traineddata`, dataOf[language]);
  const api = new core.TessBaseAPI();
  if (api.Init(null, scanLanguages.join('+'), neural) !== 0)
    throw new Error('the languages were not taken');
  return {
    read(picture) {
      core.FS.writeFile('/input', greymap(picture));
      if (api.SetImageFile(1, 0) === 1) throw new Error('the picture was not taken');
      try {
        api.Recognize(null);
        return linesOf(api.GetTSVText(), picture);
      } finally {
        api.Clear();
      }
    },
  };
}

/** Encodes a picture as a portable greymap, the plainest format that Tesseract reads. */
function greymap({ width, height, pixels }: GreyPicture): Uint8Array {
  const head = new TextEncoder().encode(`P5 ${String(width)} ${String(height)} 255\n`);
  const file = new Uint8Array(head.length + pixels.length);
  file.set(head);
  file.set(pixels, head.length);
  return file;
}

/**
 * The level of a word in a row of Tesseract's table. The columns are level, page, block, paragraph,
 * line, word, box, confidence and text.
 */
const wordLevel = '5';
/** The minimum confidence in per cent. Words below it are the texture of a photo. */
const confidenceMin = 30;

function linesOf(table: string, { width, height }: GreyPicture): (readonly ReadWord[])[] {
  const rows = table.split('\n').map((row) => row.split('\t'));
  const words = rows.filter((row) => row[0] === wordLevel && Number(row[10]) >= confidenceMin);
  const lines = Map.groupBy(words, (row) => row.slice(2, 5).join());
  return [...lines.values()].map((line) =>
    line.map((row) => {
      const [left = 0, top = 0, wide = 0, high = 0] = row.slice(6, 10).map(Number);
      const box = {
        left: left / width,
        top: top / height,
        width: wide / width,
        height: high / height,
      };
      return { text: row[11] ?? '', box, confidence: Number(row[10]) };
    }),
  );
}

/** Returns the words of a page for the search. The text is empty if the page has no words. */
export function textOf(lines: readonly PageLine[]): string {
  const text = lines.map((line) => line.map((word) => word.text).join(' ')).join('\n');
  return wordsOf(text).length === 0 ? '' : text;
}
