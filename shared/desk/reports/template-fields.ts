import { categories } from '../../api/case-words.ts';
import type { MessageKey } from '../../i18n/texts.ts';
import { payloadSections, type PayloadField, type SectionId } from '../../payload/fields.ts';

/**
 * The kind of a field. A `text` prints a value and can also be a condition (`{#name}…{/name}`). A
 * `flag` is only a condition. A `list` repeats the text between `{#name}` and `{/name}`. A
 * `picture` places a picture, and can also be a condition.
 */
export const templateFieldKinds = ['text', 'flag', 'list', 'picture'] as const;
export type TemplateFieldKind = (typeof templateFieldKinds)[number];

/** A field that a template of the office can contain, in braces. */
export interface TemplateField {
  /**
   * The field's name. Within a list, only the part after the point is written: `{caption}` in
   * `{#photos}`.
   */
  readonly name: string;
  readonly kind: TemplateFieldKind;
  /** The list in which the field can stand; null if it can stand anywhere. */
  readonly list: string | null;
  readonly section: MessageKey;
  readonly label: MessageKey;
}

const sectionOf = (id: SectionId): MessageKey => `labels.sections.${id}`;

/** The fields of a case of any category. */
const caseFields: readonly (readonly [string, MessageKey, MessageKey])[] = [
  ['case.key', 'templates.sections.case', 'columns.externalKey'],
  ['case.status', 'templates.sections.case', 'columns.status'],
  ['case.category', 'templates.sections.case', 'columns.category'],
  ['case.comment', 'templates.sections.case', 'columns.expertComment'],
  ['subject', 'templates.sections.case', 'columns.subject'],
  ['place', 'templates.sections.case', 'columns.place'],
  ['today', 'templates.sections.case', 'templates.fields.today'],
  ['amounts.estimate', 'templates.sections.amounts', 'columns.costEstimateRappen'],
  ['amounts.approved', 'templates.sections.amounts', 'columns.approvedRappen'],
  ['amounts.savings', 'templates.sections.amounts', 'columns.savingsRappen'],
  ['insurer.name', 'templates.sections.insurer', 'columns.insurer'],
  ['insurer.responsible', 'templates.sections.insurer', 'columns.responsible'],
  ['insurer.phone', 'templates.sections.insurer', 'labels.fields.phone'],
  ['insurer.email', 'templates.sections.insurer', 'labels.fields.email'],
  ['party.name', 'templates.sections.party', 'labels.fields.name'],
  ['party.address', 'templates.sections.party', 'labels.fields.address'],
  ['party.phone', 'templates.sections.party', 'labels.fields.phone'],
  ['party.email', 'templates.sections.party', 'labels.fields.email'],
  ['vehicle.plate', 'templates.sections.vehicle', 'labels.fields.licensePlate'],
  ['vehicle.make', 'templates.sections.vehicle', 'labels.fields.carMake'],
  ['vehicle.model', 'templates.sections.vehicle', 'labels.fields.carModel'],
  ['vehicle.vin', 'templates.sections.vehicle', 'labels.fields.vin'],
  ['vehicle.firstRegistration', 'templates.sections.vehicle', 'labels.fields.firstRegistration'],
  ['appraiser.name', 'templates.sections.appraiser', 'labels.fields.name'],
  ['appraiser.office', 'templates.sections.appraiser', 'templates.fields.office'],
  ['appraiser.address', 'templates.sections.appraiser', 'labels.fields.address'],
  ['appraiser.phone', 'templates.sections.appraiser', 'labels.fields.phone'],
  ['appraiser.email', 'templates.sections.appraiser', 'labels.fields.email'],
];

/** The pictures that a report has once. */
const pictureFields: readonly (readonly [string, MessageKey])[] = [
  ['appraiser.signature', 'templates.sections.appraiser'],
  ['party.signature', 'templates.sections.party'],
];

/** The lines of an estimate, and of the document that it is compared with. */
const estimateFields: readonly (readonly [string, MessageKey, MessageKey])[] = [
  ['estimate.document', 'templates.sections.estimate', 'positions.first'],
  ['estimate.net', 'templates.sections.estimate', 'positions.sum'],
  ['estimate.vat', 'templates.sections.estimate', 'positions.tax'],
  ['estimate.total', 'templates.sections.estimate', 'positions.total'],
  ['comparison.document', 'templates.sections.comparison', 'positions.second'],
  ['comparison.total', 'templates.sections.comparison', 'positions.total'],
  ['comparison.cuts', 'templates.sections.comparison', 'positions.cuts'],
  ['comparison.assessed', 'templates.sections.comparison', 'positions.assessed'],
];

/** The fields of each photo. Those of a pair of photos begin with `left.` and `right.`. */
const photoFields: readonly (readonly [string, TemplateFieldKind, MessageKey])[] = [
  ['photo', 'picture', 'templates.fields.photo'],
  ['caption', 'text', 'photos.caption'],
  ['group', 'text', 'photos.group'],
  ['time', 'text', 'templates.fields.time'],
  ['number', 'text', 'templates.fields.number'],
  ['fileName', 'text', 'report.name'],
];

type ListField = readonly [string, TemplateFieldKind, MessageKey];

const listFields: Readonly<Record<string, readonly ListField[]>> = {
  photos: photoFields,
  photoPairs: ['left', 'right'].flatMap((side) =>
    photoFields.map(([name, kind, label]): ListField => [`${side}.${name}`, kind, label]),
  ),
  persons: [
    ['side', 'text', 'templates.fields.side'],
    ['name', 'text', 'labels.fields.name'],
    ['address', 'text', 'labels.fields.address'],
    ['phone', 'text', 'labels.fields.phone'],
    ['email', 'text', 'labels.fields.email'],
    ['birthDate', 'text', 'labels.fields.birthDate'],
    ['driverAtIncident', 'text', 'labels.fields.driverAtIncident'],
  ],
  documents: [
    ['name', 'text', 'report.name'],
    ['date', 'text', 'templates.fields.date'],
  ],
  checklist: [
    ['entry', 'text', 'templates.fields.entry'],
    ['answer', 'text', 'templates.fields.answer'],
    ['isDone', 'flag', 'templates.fields.isDone'],
  ],
  positions: [
    ['number', 'text', 'templates.fields.number'],
    ['text', 'text', 'positions.text'],
    ['amount', 'text', 'positions.amount'],
    ['compared', 'text', 'positions.compared'],
    ['difference', 'text', 'positions.difference'],
    ['cut', 'text', 'positions.cut'],
  ],
  reports: [
    ['number', 'text', 'templates.fields.number'],
    ['date', 'text', 'templates.fields.date'],
    ['status', 'text', 'columns.status'],
    ['comment', 'text', 'columns.expertComment'],
  ],
};

const listSections: Readonly<Record<string, MessageKey>> = {
  photos: 'templates.sections.photos',
  photoPairs: 'templates.sections.photoPairs',
  persons: 'templates.sections.persons',
  documents: 'templates.sections.documents',
  checklist: 'templates.sections.checklist',
  positions: 'templates.sections.positions',
  reports: 'templates.sections.reports',
};

/** The name of a payload member as the partner writes it: `insured.name`, `incidentDate`. */
export const payloadFieldName = ({ key, paths: [first = key] }: PayloadField): string => first;

/** Every member that at least one category describes, without repetition. */
function payloadFields(): TemplateField[] {
  const found = new Map<string, TemplateField>();
  for (const { id, fields, list } of Object.values(payloadSections).flat()) {
    if (list !== undefined) continue;
    for (const field of fields) {
      const name = payloadFieldName(field);
      const label = `labels.fields.${field.key}` as MessageKey;
      if (!found.has(name))
        found.set(name, { name, kind: 'text', list: null, section: sectionOf(id), label });
    }
  }
  return [...found.values()];
}

const conditions = 'templates.sections.conditions';
/** The name of the condition that a list has entries, for the list's heading: `hasPhotos`. */
export const hasEntries = (list: string): string =>
  `has${list.charAt(0).toUpperCase()}${list.slice(1)}`;

/** Every field of a template, in the order of the list that the user sees. */
export const templateFields: readonly TemplateField[] = [
  ...[...caseFields, ...estimateFields].map(([name, section, label]): TemplateField => {
    return { name, kind: 'text', list: null, section, label };
  }),
  ...pictureFields.map(([name, section]): TemplateField => {
    return { name, kind: 'picture', list: null, section, label: 'templates.fields.signature' };
  }),
  ...payloadFields(),
  ...categories.map((category): TemplateField => ({
    name: `category.${category}`,
    kind: 'flag',
    list: null,
    section: conditions,
    label: `category.${category}`,
  })),
  ...Object.entries(listSections).map(([list, label]): TemplateField => {
    return { name: hasEntries(list), kind: 'flag', list: null, section: conditions, label };
  }),
  ...Object.entries(listFields).flatMap(([list, fields]): TemplateField[] => {
    const section = listSections[list] ?? 'templates.sections.case';
    const whole = { name: list, kind: 'list', list: null, section, label: section } as const;
    return [whole, ...fields.map(([name, kind, label]) => ({ name, kind, list, section, label }))];
  }),
];

/** The field of a name inside these lists, the innermost list last. */
export function templateFieldOf(name: string, lists: readonly string[]): TemplateField | undefined {
  const known = templateFields.filter((field) => field.name === name);
  const inner = lists
    .toReversed()
    .flatMap((list) => known.find((field) => field.list === list) ?? []);
  return inner[0] ?? known.find(({ list }) => list === null);
}
