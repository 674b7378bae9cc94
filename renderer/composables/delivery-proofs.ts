import {
  clockDifferenceMs,
  type DeliveryProof,
  type QueueItem,
  type QueueStep,
} from '#shared/desk/queue.ts';
import { csvOf } from '#shared/lib/csv.ts';
import { createPdfWriter, fitText, lineHeight, type TextDrawing } from './sheet-text.ts';

/** One delivered request of an act. */
export interface ProvenDelivery {
  readonly externalKey: string;
  readonly partyName: string;
  readonly category: string;
  readonly kind: QueueStep['kind'];
  /** Whose value or comment it carried. */
  readonly act: QueueItem['act'];
  readonly fileName: string;
  readonly isSalvageSale: boolean;
  readonly proof: DeliveryProof;
}

/**
 * Every proof of delivery of these acts, oldest first, each request once: a report has one for
 * itself, for each of its documents and for its submission.
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

/** Columns of every form that a proof is given in. */
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

/** How the user of this office reads a proof. */
export interface ProofTexts {
  readonly heading: (column: ProofColumn) => string;
  /** In the office's time zone. */
  readonly localTime: (iso: string) => string;
  readonly what: (delivery: ProvenDelivery) => string;
  /** What was set; empty if the request set nothing itself. */
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

/** A4 in points. */
const page = { width: 595, height: 842, margin: 48 };
const labelWidth = 120;
const textSize = 9;
const line = textSize * lineHeight;

/** The proofs of one case, a block for each request; loads the PDF library only now. */
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
    ...{ x, y, width, font: face },
    ...{ height: size * lineHeight, largest: size, smallest: size },
  });
  /** All of a text, line after line, with a label next to the first; continues on the next page. */
  const put = async (text: string, label = '', size = textSize, face = font) => {
    const x = page.margin + (label === '' ? 0 : labelWidth);
    const room = { width: page.width - page.margin - x, height: Infinity };
    // The bold face is a little wider.
    const scale = face === bold ? 1.1 : 1;
    const lines = text
      .split(/\r?\n/)
      .flatMap(
        (part) =>
          fitText(
            part,
            { ...room, largest: size, smallest: size },
            (words, at) => measure(words, at) * scale,
          ).lines,
      );
    for (const [index, words] of lines.entries()) {
      if (y - size * lineHeight < page.margin) {
        on = pdf.addPage([page.width, page.height]);
        y = page.height - page.margin;
      }
      if (index === 0 && label !== '') {
        await write(on, label, place(page.margin, labelWidth - 8, textSize));
      }
      await write(on, words, place(x, room.width, size, face));
      y -= size * lineHeight;
    }
  };

  await put(title, '', 15, bold);
  for (const note of notes) await put(note);
  const apart: readonly ProofColumn[] = ['case', 'party', 'what'];
  for (const delivery of deliveries) {
    const cells = cellsOf(delivery, texts);
    // A block begins with room for its first lines.
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
