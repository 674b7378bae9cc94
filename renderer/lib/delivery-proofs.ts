import {
  clockDifferenceMs,
  type DeliveryProof,
  type QueueItem,
  type QueueStep,
} from '#shared/desk/delivery/queue.ts';
import { csvOf } from '#shared/lib/csv.ts';
import { createPdfWriter, fitText, lineHeight, type TextDrawing } from '#shared/pdf/sheet-text.ts';

/** One delivered request of an act. */
export interface ProvenDelivery {
  readonly externalKey: string;
  readonly partyName: string;
  readonly category: string;
  readonly kind: QueueStep['kind'];
  /** The act whose value or comment the request carried. */
  readonly act: QueueItem['act'];
  readonly fileName: string;
  readonly isSalvageSale: boolean;
  readonly proof: DeliveryProof;
}

/**
 * Returns all proofs of delivery of these acts, oldest first, one for each request. A report has
 * one proof for itself, one for each of its documents, and one for its submission.
 */
export function deliveryProofs(items: readonly QueueItem[]): ProvenDelivery[] {
  return items
    .flatMap(
      ({ externalKey, partyName, category, act, kind, steps, delivered }): ProvenDelivery[] => {
        const of = { externalKey, partyName, category, act };
        const proofs = steps.flatMap((step) => {
          const { delivered: proof, isSalvageSale } = step;
          if (!proof) return [];
          return [{ ...of, kind: step.kind, fileName: step.fileName ?? '', isSalvageSale, proof }];
        });
        if (proofs.length > 0 || !delivered) return proofs;
        const whole = kind === 'report' ? 'submit' : kind;
        return [{ ...of, kind: whole, fileName: '', isSalvageSale: false, proof: delivered }];
      },
    )
    .sort((a, b) => a.proof.at.localeCompare(b.proof.at));
}

/** The columns of a proof in every format. */
export const proofColumns = [
  'localTime',
  'utc',
  'laptopUtc',
  'clockMinutes',
  'seenUtc',
  'case',
  'party',
  'what',
  'value',
  'fileName',
  'bytes',
  'sha256',
  'status',
  'correlationId',
  'serverId',
] as const;
export type ProofColumn = (typeof proofColumns)[number];

/** The texts with which a proof is shown to the user. */
export interface ProofTexts {
  readonly heading: (column: ProofColumn) => string;
  /** A time in the office's time zone. */
  readonly localTime: (iso: string) => string;
  readonly what: (delivery: ProvenDelivery) => string;
  /** The value that the request set; empty if it set none. */
  readonly value: (delivery: ProvenDelivery) => string;
}

function cellsOf(delivery: ProvenDelivery, texts: ProofTexts): Record<ProofColumn, string> {
  const { proof, externalKey, partyName, fileName } = delivery;
  const differenceMs = clockDifferenceMs(proof);
  return {
    localTime: texts.localTime(proof.at),
    utc: new Date(proof.at).toISOString(),
    laptopUtc: proof.laptopAt ?? '',
    clockMinutes: differenceMs === null ? '' : String(Math.round(Math.abs(differenceMs) / 60_000)),
    seenUtc: proof.seenAt ?? '',
    case: externalKey,
    party: partyName,
    what: texts.what(delivery),
    value: texts.value(delivery),
    fileName,
    bytes: proof.sizeBytes === null ? '' : String(proof.sizeBytes),
    sha256: proof.sha256 ?? '',
    status: String(proof.status),
    correlationId: proof.correlationId,
    serverId: proof.serverId ?? '',
  };
}

export function proofsCsv(deliveries: readonly ProvenDelivery[], texts: ProofTexts): string {
  const rows = deliveries.map((delivery) => {
    const cells = cellsOf(delivery, texts);
    return proofColumns.map((column) => cells[column]);
  });
  return csvOf([proofColumns.map(texts.heading), ...rows]);
}

/** The size of A4 in points. */
const page = { width: 595, height: 842, margin: 48 };
const labelWidth = 120;
const textSize = 9;
const line = textSize * lineHeight;

/**
 * Makes a PDF of the proofs of one case, with a block for each request. The PDF library is loaded
 * only when this function is called.
 */
export async function proofsPdf(
  { title, notes }: { readonly title: string; readonly notes: readonly string[] },
  deliveries: readonly ProvenDelivery[],
  texts: ProofTexts,
  drawing: TextDrawing,
): Promise<Uint8Array<ArrayBuffer>> {
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  const { font, bold, measure, write } = await createPdfWriter(pdf, drawing);
  const width = page.width - 2 * page.margin;
  let on = pdf.addPage([page.width, page.height]);
  let y = page.height - page.margin;

  const place = (x: number, width: number, size: number, face = font) => ({
    x,
    y,
    width,
    font: face,
    height: size * lineHeight,
    largest: size,
    smallest: size,
  });
  const linesOf = (text: string, width: number, size: number, scale: number) =>
    fitText(
      text,
      { width, height: Infinity, largest: size, smallest: size },
      (words, at) => measure(words, at) * scale,
    ).lines;
  /**
   * Writes a text line after line, with a label next to the first line. It continues on the next
   * page.
   */
  const put = async (text: string, label = '', size = textSize, face = font) => {
    const x = page.margin + (label === '' ? 0 : labelWidth);
    const room = { width: page.width - page.margin - x };
    // The bold face is a little wider.
    const scale = face === bold ? 1.1 : 1;
    const lines = text.split(/\r?\n/).flatMap((part) => linesOf(part, room.width, size, scale));
    // A long label continues next to the lines of its text, and is never cut.
    const labels = label === '' ? [] : linesOf(label, labelWidth - 8, textSize, 1);
    for (let index = 0; index < Math.max(lines.length, labels.length); index += 1) {
      if (y - size * lineHeight < page.margin) {
        on = pdf.addPage([page.width, page.height]);
        y = page.height - page.margin;
      }
      const named = labels[index];
      const words = lines[index];
      if (named !== undefined) await write(on, named, place(page.margin, labelWidth - 8, textSize));
      if (words !== undefined) await write(on, words, place(x, room.width, size, face));
      y -= size * lineHeight;
    }
  };

  await put(title, '', 15, bold);
  for (const note of notes) await put(note);
  const apart: readonly ProofColumn[] = ['case', 'party', 'what'];
  for (const delivery of deliveries) {
    const cells = cellsOf(delivery, texts);
    // A block starts on a new page if its first lines do not fit on this one.
    y = y - 2 * line < page.margin + 4 * line ? page.margin : y - line;
    if (y > page.margin) {
      const end = page.margin + width;
      on.drawLine({ start: { x: page.margin, y }, end: { x: end, y }, thickness: 0.5 });
      y -= line / 2;
    }
    await put(cells.what, '', 10, bold);
    for (const column of proofColumns) {
      if (!apart.includes(column) && cells[column] !== '')
        await put(cells[column], texts.heading(column));
    }
  }
  for (const [index, sheet] of pdf.getPages().entries()) {
    y = page.margin - 12;
    const number = `${String(index + 1)} / ${String(pdf.getPageCount())}`;
    await write(sheet, number, place(page.margin, width, 8));
  }
  return Uint8Array.from(await pdf.save());
}
