import { comparisonOf, type ReportPositions } from '#shared/desk/reports/positions.ts';
import { categories } from '#shared/api/case-words.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { payloadFieldName } from '#shared/desk/reports/template-fields.ts';
import type { Appraiser } from '#shared/desk/reports/templates.ts';
import { checklistOf, type Texts } from '#shared/desk/reports/text-blocks.ts';
import { wordFor } from '#shared/i18n/catalogue.ts';
import { formatAmount, formatDate } from '#shared/i18n/format.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';
import { chfFromRappen } from '#shared/lib/money.ts';
import { inspectedParty } from '#shared/payload/digest.ts';
import { payloadSections, type PayloadField } from '#shared/payload/fields.ts';
import { memberOf } from '#shared/payload/parse-payload.ts';
import { lineOf, textOfLine } from '#shared/payload/view-payload.ts';
import type { FilledRow, FilledValue } from './docx/fill-data.ts';

/** What the values of a case are read from. */
export interface ValueSources {
  readonly detail: CaseDetail;
  readonly appraiser: Appraiser;
  readonly documents: readonly { readonly fileName: string; readonly createdAt: string }[];
  readonly reports: readonly {
    readonly sequenceNo: number;
    readonly status: string;
    readonly comment: string;
    readonly submittedAt: string | null;
  }[];
  /** The lines that the reports of the case print. */
  readonly positions: ReportPositions | null;
  readonly texts: Texts;
  readonly ticks: ReadonlySet<string>;
  /** In the language of the template. */
  readonly words: WindowTexts;
  readonly language: Language;
  readonly nowMs: number;
}

/** Everything that a template can print of a case but its photos, as the desk shows it. */
export function caseValues(sources: ValueSources): {
  values: FilledRow;
  lists: Readonly<Record<string, readonly FilledRow[]>>;
} {
  return {
    values: { ...payloadValues(sources), ...deskValues(sources), ...positionValues(sources) },
    lists: {
      persons: personRows(sources),
      documents: sources.documents.map(({ fileName, createdAt }) => ({
        name: fileName,
        date: dayOfMoment(createdAt),
      })),
      checklist: checklistRows(sources),
      positions: positionRows(sources),
      reports: sources.reports.map(({ sequenceNo, status, comment, submittedAt }) => ({
        number: { number: sequenceNo, text: String(sequenceNo) },
        date: dayOfMoment(submittedAt ?? ''),
        status: wordFor(sources.language, 'reportStatus', status),
        comment,
      })),
    },
  };
}

function dayOfMoment(iso: string): FilledValue {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const text = formatDate(at);
  return { date: text.split('.').reverse().join('-'), text };
}

function read(field: PayloadField, root: unknown, language: Language): string {
  const line = lineOf(field, root);
  return line ? textOfLine(line, language) : '';
}

/** With the amount or day that a template calculates with. */
function readValue(field: PayloadField, root: unknown, language: Language): FilledValue {
  const line = lineOf(field, root);
  if (!line) return '';
  const text = textOfLine(line, language);
  if (line.kind === 'amount') return { number: Number(line.text), text };
  return line.kind === 'date' ? { date: line.text, text } : text;
}

const field = (key: string, kind: PayloadField['kind'] = 'text', path = key): PayloadField => ({
  key,
  kind,
  paths: kind === 'address' ? ['address', 'postalCode', 'city', 'country'] : [path],
});

/** Of every category, so that a template for all of them has no unknown field. */
function payloadValues({ detail, language }: ValueSources): FilledRow {
  const sections = Object.values(payloadSections).flat();
  const all = sections.filter(({ list }) => list === undefined).flatMap(({ fields }) => fields);
  // The category's own fields come last: `claimType` is a word in one and a text in another.
  const known = categories.find((category) => category === detail.category);
  const own = known ? payloadSections[known].flatMap(({ fields }) => fields) : [];
  return Object.fromEntries(
    [...all, ...own].map((one) => [
      payloadFieldName(one),
      readValue(one, detail.payload, language),
    ]),
  );
}

const amountOf = (rappen: number | null, language: Language): FilledValue =>
  rappen === null ? '' : { number: chfFromRappen(rappen), text: formatAmount(rappen, language) };

function deskValues(sources: ValueSources): FilledRow {
  const { detail, appraiser, language, nowMs } = sources;
  const chf = (rappen: number | null) => amountOf(rappen, language);
  const { name, responsible } = detail.insurer;
  return {
    'case.key': detail.externalKey,
    'case.status': wordFor(language, 'caseStatus', detail.status),
    'case.category': wordFor(language, 'category', detail.category),
    'case.comment': detail.expertComment,
    subject: wordFor(language, 'values', detail.subject),
    place: detail.place,
    today: dayOfMoment(new Date(nowMs).toISOString()),
    'amounts.estimate': chf(detail.costEstimateRappen),
    'amounts.approved': chf(detail.approvedRappen),
    'amounts.savings': chf(detail.savingsRappen),
    'insurer.name': name,
    'insurer.responsible': responsible.name,
    'insurer.phone': responsible.phone,
    'insurer.email': responsible.email,
    ...partyValues(sources),
    ...Object.fromEntries(
      Object.entries(appraiser).map(([part, text]) => [`appraiser.${part}`, text]),
    ),
    ...Object.fromEntries(
      categories.map((category) => [`category.${category}`, category === detail.category]),
    ),
  };
}

/** The party whose property is inspected, and its vehicle. */
function partyValues({ detail, language }: ValueSources): FilledRow {
  const party = inspectedParty(detail.payload);
  const value = (one: PayloadField) => read(one, party, language);
  return {
    'party.name': value(field('name')),
    'party.address': value(field('address', 'address')),
    'party.phone': value(field('phone')),
    'party.email': value(field('email')),
    'vehicle.plate': value(field('licensePlate')),
    'vehicle.make': value(field('carMake')) || value(field('make')),
    'vehicle.model': value(field('carModel')) || value(field('model')),
    'vehicle.vin': value(field('vin')),
    'vehicle.firstRegistration': readValue(field('firstRegistration', 'date'), party, language),
  };
}

const personFields: readonly PayloadField[] = [
  field('name'),
  field('address', 'address'),
  field('phone'),
  field('email'),
  field('birthDate', 'date'),
  field('driverAtIncident', 'enum'),
];

/** Everybody who is named in the payload: the parties, then further persons of each side. */
function personRows({ detail: { payload }, words, language }: ValueSources): FilledRow[] {
  const people = (member: string): unknown[] => {
    const found = memberOf(payload, member);
    return Array.isArray(found) ? (found as unknown[]) : [];
  };
  const sides = [
    { side: 'insured', people: [memberOf(payload, 'insured'), ...people('insuredPersons')] },
    {
      side: 'counterparty',
      people: [memberOf(payload, 'counterparty'), ...people('counterpartyPersons')],
    },
  ] as const;
  return sides.flatMap(({ side, people: onSide }) =>
    onSide.flatMap((person) => {
      const row = Object.fromEntries(
        personFields.map((one) => [one.key, readValue(one, person, language)]),
      );
      return row['name'] === '' ? [] : [{ ...row, side: words.labels.sections[side] }];
    }),
  );
}

function checklistRows({ detail, texts, ticks, words }: ValueSources): FilledRow[] {
  const entries = checklistOf(texts, detail.category, (name) => words.checklist.entries[name]);
  return entries.map(({ id, text }) => {
    const isDone = ticks.has(id);
    const answer = isDone ? words.templates.answers.done : words.templates.answers.open;
    return { entry: text, isDone, answer };
  });
}

/** What the lines of the documents add up to. */
function positionValues({ positions, language }: ValueSources): FilledRow {
  const chf = (rappen: number | null) => amountOf(rappen, language);
  const comparison = positions && comparisonOf(positions);
  return {
    'estimate.document': positions?.first.fileName ?? '',
    'estimate.net': chf(positions?.first.estimate.sumRappen ?? null),
    'estimate.vat': chf(positions?.first.estimate.taxRappen ?? null),
    'estimate.total': chf(positions?.first.estimate.totalRappen ?? null),
    'comparison.document': positions?.second?.fileName ?? '',
    'comparison.total': chf(positions?.second?.estimate.totalRappen ?? null),
    'comparison.cuts': chf(comparison?.cutsRappen ?? null),
    'comparison.assessed': chf(comparison?.assessedRappen ?? null),
  };
}

/** The lines of one document; those of two next to each other. */
function positionRows({ positions, language }: ValueSources): FilledRow[] {
  if (!positions) return [];
  const chf = (rappen: number | null) => amountOf(rappen, language);
  const lines =
    comparisonOf(positions)?.lines ??
    positions.first.estimate.positions.map((first) => ({
      first,
      second: null,
      differenceRappen: null,
      cutRappen: null,
    }));
  return lines.map(({ first, second, differenceRappen, cutRappen }) => ({
    number: first?.number ?? second?.number ?? '',
    text: first?.text ?? second?.text ?? '',
    amount: chf(first?.rappen ?? null),
    compared: chf(second?.rappen ?? null),
    difference: chf(differenceRappen),
    cut: chf(cutRappen === 0 ? null : cutRappen),
  }));
}
