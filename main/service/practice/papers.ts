import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { ClaimDraft } from './draft.ts';
import {
  contentWidth,
  formatChf,
  formatDay,
  margin,
  Page,
  pageBottom,
  renderPdf,
} from './paper.ts';

/** What every paper of a case names. */
export interface PaperFacts {
  readonly draft: ClaimDraft;
  readonly externalKey: string;
  readonly insurerName: string;
  readonly expertName: string;
  /** Milliseconds since 1970: the date on the paper. */
  readonly madeAt: number;
}

const right = margin + contentWidth;

/** What the insured told the insurer: one page, and for a crash a sketch of it on the second. */
export function damageReport(facts: PaperFacts): Promise<Uint8Array> {
  const { draft } = facts;
  const page = letterhead(facts, facts.insurerName, 'Schadenanzeige');
  let y = rows(page, 150, [
    ['Police', textOf(draft.payload, 'policyNumber')],
    ['Objekt', draft.object],
    ['Ereignis vom', formatDay(textOf(draft.payload, 'incidentDate'))],
    ['Ort', place(draft)],
    ['Geschätzter Schaden', formatChf(draft.estimateRappen)],
  ]);
  for (const [title, member] of [
    ['Versicherte Person', 'insured'],
    ['Gegenpartei', 'counterparty'],
  ] as const) {
    const party = draft.payload[member];
    if (party === undefined) continue;
    y = heading(page, y, title);
    y = rows(page, y, [
      ['Name', textOf(party, 'name')],
      ['Adresse', addressOf(party)],
      ['Telefon', textOf(party, 'phone')],
    ]);
  }
  y = heading(page, y, 'Hergang');
  y = page.paragraph(margin, y, textOf(draft.payload, 'damageDescription'), contentWidth);
  const request = textOf(draft.payload, 'supportRequest');
  if (request !== '') {
    y = heading(page, y + 8, 'Auftrag');
    page.paragraph(margin, y, request, contentWidth);
  }
  return renderPaper(facts, 'Schadenanzeige', isCrash(draft) ? [page, sketch(facts)] : [page]);
}

/** What a workshop wants for the repair, position by position. */
export function costEstimate(facts: PaperFacts, title: string): Promise<Uint8Array> {
  const { draft } = facts;
  const page = letterhead(facts, draft.workshopName ?? draft.partyName, title);
  let y = rows(page, 150, [
    ['Kunde', draft.partyName],
    ['Objekt', draft.object],
    ['Versicherung', facts.insurerName],
  ]);
  y = heading(page, y, 'Positionen');
  draft.costItems.forEach(({ text, rappen }, at) => {
    y = sumRow(page, y, `${at + 1}.  ${text}`, rappen);
  });
  page.line(margin, y - 8, right, y - 8);
  y = sumRow(page, y + 6, 'Total inkl. MWST', draft.estimateRappen, true);
  // 8.1 % is contained in the total, hence 81 of 1081 parts.
  sumRow(page, y, 'darin enthaltene MWST 8.1 %', Math.round((draft.estimateRappen * 81) / 1081));
  page.paragraph(margin, pageBottom - 40, 'Preise gültig während 60 Tagen.', contentWidth, 9);
  return renderPaper(facts, title, [page]);
}

/** What the appraiser found, and what is paid. */
export function expertReport(
  facts: PaperFacts,
  sums: { readonly estimateRappen: number; readonly approvedRappen: number },
): Promise<Uint8Array> {
  const { draft } = facts;
  const page = letterhead(facts, facts.expertName, 'Gutachten');
  let y = rows(page, 150, [
    ['Auftraggeber', facts.insurerName],
    ['Geschädigt', draft.partyName],
    ['Objekt', draft.object],
    ['Ereignis vom', formatDay(textOf(draft.payload, 'incidentDate'))],
  ]);
  y = heading(page, y, 'Sachverhalt');
  y = page.paragraph(margin, y, textOf(draft.payload, 'damageDescription'), contentWidth) + 8;
  y = heading(page, y, 'Feststellungen');
  for (const finding of draft.findings) {
    page.text(margin, y, '–');
    y = page.paragraph(margin + 14, y, finding, contentWidth - 14) + 2;
  }
  const second = letterhead(facts, facts.expertName, 'Gutachten – Berechnung');
  let at = heading(second, 150, 'Schadenberechnung');
  for (const { text, rappen } of draft.costItems) at = sumRow(second, at, text, rappen);
  second.line(margin, at - 8, right, at - 8);
  at = sumRow(second, at + 6, 'Kostenvoranschlag', sums.estimateRappen);
  at = sumRow(second, at, 'Anerkannter Betrag', sums.approvedRappen, true);
  if (sums.estimateRappen > sums.approvedRappen) {
    at = sumRow(second, at, 'Einsparung', sums.estimateRappen - sums.approvedRappen);
  }
  signature(second, at + 50, facts.expertName);
  return renderPaper(facts, 'Gutachten', [page, second]);
}

/** What dealers offer for what is left. */
export function salvageOffer(
  facts: PaperFacts,
  bidsRappen: readonly number[],
): Promise<Uint8Array> {
  const page = letterhead(facts, facts.expertName, 'Restwertangebote');
  let y = rows(page, 150, [
    ['Objekt', facts.draft.object],
    ['Standort', place(facts.draft)],
  ]);
  y = heading(page, y, 'Gebote');
  bidsRappen.forEach((rappen, at) => {
    y = sumRow(page, y, `Bieter ${at + 1}`, rappen, at === 0);
  });
  page.paragraph(margin, y + 10, 'Gebote verbindlich während 20 Tagen, ab Standort.', contentWidth);
  return renderPaper(facts, 'Restwertangebote', [page]);
}

function renderPaper(
  facts: PaperFacts,
  title: string,
  pages: readonly Page[],
): Promise<Uint8Array> {
  pages.forEach((page, at) => {
    page.line(margin, pageBottom + 20, right, pageBottom + 20);
    page.text(margin, pageBottom + 34, facts.externalKey, { size: 8, gray: 0.35 });
    page.text(right, pageBottom + 34, `Seite ${at + 1} von ${pages.length}`, {
      size: 8,
      gray: 0.35,
      alignRight: true,
    });
  });
  return renderPdf(`${title} ${facts.externalKey}`, pages, facts.madeAt);
}

function letterhead(facts: PaperFacts, sender: string, title: string): Page {
  const page = new Page();
  page.box(0, 0, 595, 12, 0.2);
  page.text(margin, 58, sender, { size: 12, bold: true });
  page.text(right, 58, formatDay(zurichDay(facts.madeAt)), { alignRight: true });
  page.text(margin, 100, title, { size: 20, bold: true });
  page.text(right, 100, facts.externalKey, { size: 12, alignRight: true });
  page.line(margin, 114, right, 114, 1.2);
  return page;
}

function heading(page: Page, y: number, title: string): number {
  page.text(margin, y + 12, title, { size: 12, bold: true });
  return y + 32;
}

function rows(page: Page, y: number, entries: readonly (readonly [string, string])[]): number {
  let at = y;
  for (const [label, value] of entries) {
    if (value === '') continue;
    page.text(margin, at, label, { gray: 0.35 });
    page.text(margin + 130, at, value);
    at += 17;
  }
  return at + 6;
}

function sumRow(page: Page, y: number, label: string, rappen: number, bold = false): number {
  page.text(margin, y, label, { bold });
  page.text(right, y, formatChf(rappen), { bold, alignRight: true });
  return y + 18;
}

function signature(page: Page, y: number, name: string): void {
  page.line(margin, y, margin + 180, y);
  page.text(margin, y + 14, name, { size: 9 });
}

/** Hail and burst pipes are not drawn as a crossing. */
function isCrash({ category, payload }: ClaimDraft): boolean {
  return (
    category === 'fraud' || (category === 'vehicle' && payload['claimInsurance'] !== 'partial')
  );
}

/** A crossing seen from above, as a person would draw it on the form. */
function sketch(facts: PaperFacts): Page {
  const page = letterhead(facts, facts.insurerName, 'Skizze');
  page.box(margin, 260, contentWidth, 90, 0.85);
  page.box(260, 150, 90, 320, 0.85);
  for (let x = margin; x < right; x += 36) page.box(x, 303, 18, 3, 1);
  page.box(190, 312, 56, 26, 0.35);
  page.box(292, 270, 26, 52, 0.55);
  page.text(206, 329, 'A', { bold: true, gray: 1 });
  page.text(301, 300, 'B', { bold: true, gray: 1 });
  page.line(120, 325, 188, 325, 1.5);
  page.line(305, 440, 305, 326, 1.5);
  page.text(margin, 510, 'A: versicherte Person   B: andere Partei oder Hindernis', { size: 9 });
  signature(page, 620, textOf(facts.draft.payload['insured'], 'name'));
  return page;
}

function place({ payload }: ClaimDraft): string {
  return addressOf(payload['location']);
}

function addressOf(object: unknown): string {
  return `${textOf(object, 'address')}, ${textOf(object, 'postalCode')} ${textOf(object, 'city')}`;
}

function textOf(object: unknown, member: string): string {
  if (typeof object !== 'object' || object === null) return '';
  const value = (object as Record<string, unknown>)[member];
  return typeof value === 'string' ? value : '';
}
