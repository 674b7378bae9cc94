import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

/** An estimate or invoice in the style of a garage, with the values that a reader must find. */
export interface MoneyDocument {
  readonly name: string;
  /** The lines of each page: words on the left and an amount on the right. A scan has no lines. */
  readonly pages: readonly (readonly Row[])[];
  /** The total to be paid in the form `CHF 108100`. It is null if no total must be offered. */
  readonly total: string | null;
  /** Totals of a part or without tax. They may be offered after the total. */
  readonly parts: readonly number[];
}
type Row = readonly [label: string, amount?: string];

/** The words of each language in the order of `words`. */
const languages = {
  de: 'Offerte|Arbeit|Ersatzteile|MWST 8.1 %|Total exkl. MWST|Total inkl. MWST|Total|Zwischentotal|Rabatt 5 %|Total Rabatt|Total MWST|Übertrag|Gutschrift|Alle Beträge in EUR|Total Arbeit|Selbstbehalt|Zu bezahlen',
  fr: "Devis|Main-d'œuvre|Pièces|TVA 8.1 %|Total hors TVA|Total TTC|Total|Sous-total|Rabais 5 %|Total remises|Total TVA|Report|Note de crédit|Montants en EUR|Total main-d'œuvre|Franchise|À payer",
  it: 'Preventivo|Manodopera|Ricambi|IVA 8.1 %|Totale IVA esclusa|Totale IVA inclusa|Totale|Totale parziale|Sconto 5 %|Totale sconti|Totale IVA|Riporto|Nota di credito|Importi in EUR|Totale manodopera|Franchigia|Da pagare',
  en: 'Estimate|Labour|Parts|VAT 8.1 %|Total excl. VAT|Total incl. VAT|Total|Subtotal|Discount 5 %|Total discount|Total VAT|Carried forward|Credit note|All amounts in EUR|Total labour|Deductible|To be paid',
} as const;

const swiss = (rappen: number) =>
  (rappen / 100).toFixed(2).replaceAll(/\B(?=(\d{3})+(?=\.))/g, "'");
const german = (cents: number) =>
  swiss(cents).replaceAll(/['.]/g, (mark) => (mark === '.' ? ',' : '.'));
const american = (cents: number) => swiss(cents).replaceAll("'", ',');

/** Fifteen kinds of documents in four languages. */
export const moneyDocuments: readonly MoneyDocument[] = Object.entries(languages).flatMap(
  ([language, text], index) => documentsOf(language, text.split('|'), index + 1),
);

function documentsOf(language: string, words: readonly string[], seed: number): MoneyDocument[] {
  const [title, labour, parts, tax, net, gross, total, subtotal, discount, allDiscounts, allTaxes] =
    words.slice(0, 11) as Words;
  const [carried, credit, inEuro, allLabour, deductible, toPay] = words.slice(11) as Texts<6>;
  const netRappen = 123_400 + seed * 45_670;
  const labourRappen = 60_000 + seed * 1010;
  const taxRappen = Math.round(netRappen * 0.081);
  const sum = netRappen + taxRappen;
  const items: Row[] = [
    [labour, swiss(labourRappen)],
    [parts, swiss(netRappen - labourRappen)],
  ];
  const head: Row[] = [['Garage Muster AG, 8500 Frauenfeld'], [`${title} 2026-${seed}`]];
  const taxed: Row[] = [
    [net, swiss(netRappen)],
    [tax, swiss(taxRappen)],
  ];
  const off = Math.round(netRappen * 0.05);
  const make = (kind: string, rows: Row[], paid: string | null, ...others: number[]) => ({
    name: `${language}-${kind}.pdf`,
    pages: [[...head, ...rows]],
    total: paid,
    parts: others,
  });
  const chf = (rappen: number) => `CHF ${String(rappen)}`;
  return [
    make('taxed', [...items, ...taxed, [gross, swiss(sum)]], chf(sum), netRappen),
    make('untaxed', [...items, [`${total} CHF`, swiss(netRappen)]], chf(netRappen)),
    make('euro', [...items, [`${total} EUR`, german(sum)]], `EUR ${String(sum)}`),
    make('euro-head', [[inEuro], ...items, [total, german(sum)]], `EUR ${String(sum)}`),
    make('dollar', [...items, [`${total} USD`, american(sum)]], `USD ${String(sum)}`),
    make('credit', [[`${credit} 2026-7`], ...items, [gross, swiss(sum)]], null),
    {
      ...make('pages', [], chf(sum), netRappen),
      pages: [
        [...head, ...items, [carried, swiss(netRappen)]],
        [[carried, swiss(netRappen)], ...taxed],
        [[`${gross} CHF`, swiss(sum)]],
      ],
    },
    { name: `${language}-scan.pdf`, pages: [[]], total: null, parts: [] },
    make(
      'discount',
      [...items, [discount, swiss(off)], [allDiscounts, swiss(off)], [total, swiss(sum - off)]],
      chf(sum - off),
    ),
    make('all-taxes', [...items, [allTaxes, swiss(taxRappen)], [total, swiss(sum)]], chf(sum)),
    make('subtotal', [...items, [subtotal, swiss(netRappen)], [gross, swiss(sum)]], chf(sum)),
    make(
      'labour',
      [...items, [allLabour, swiss(labourRappen)], [gross, swiss(sum)]],
      chf(sum),
      labourRappen,
    ),
    make(
      'deductible',
      [...items, [gross, swiss(sum)], [deductible, swiss(50_000)], [toPay, swiss(sum - 50_000)]],
      chf(sum),
    ),
    make(
      'tax-behind',
      [...items, [`${total} CHF ${swiss(sum)} (${tax}: ${swiss(taxRappen)})`]],
      chf(sum),
    ),
    make('part-in-euro', [['Import EUR 120.00'], ...items, [`${total} CHF`, swiss(sum)]], chf(sum)),
  ];
}
type Texts<Length extends number, Found extends string[] = []> = Found['length'] extends Length
  ? Found
  : Texts<Length, [...Found, string]>;
/** The number of words that one destructuring reads. */
type Words = Texts<11>;

/** Creates the PDF as a program does: the words in one column, the amounts in another. */
export async function moneyPdf({ pages }: MoneyDocument): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const rows of pages) {
    const page = pdf.addPage([595, 842]);
    for (const [index, [label, amount]] of rows.entries()) {
      const y = 780 - index * 22;
      page.drawText(label, { x: 60, y, size: 11, font });
      if (amount !== undefined)
        page.drawText(amount, { x: 540 - font.widthOfTextAtSize(amount, 11), y, size: 11, font });
    }
    if (rows.length === 0) page.drawRectangle({ x: 40, y: 40, width: 515, height: 760 });
  }
  return pdf.save();
}
