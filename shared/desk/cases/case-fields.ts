/** The type of a field's value, by the field's kind. A day is YYYY-MM-DD. */
interface Values {
  text: string;
  flag: boolean;
  /** An amount is in whole Rappen. */
  amount: number | null;
  day: string | null;
}
type Kind = keyof Values;

interface CaseField {
  readonly column: string;
  readonly kind: Kind;
  /** The name of the member in the partner API. */
  readonly sent?: string;
  readonly sortKey?: string;
}
type CaseFields = Readonly<Record<string, CaseField>>;

/**
 * The plain fields of a case that the partner sends, by the desk's names. The reader of an answer,
 * the columns of the cache, the history and the row of the list are made from this table.
 */
export const sentFields = {
  /**
   * The value is a documented one, or any other that a server sends; such a value is shown
   * unchanged.
   */
  status: { sent: 'Status', column: 'status', kind: 'text' },
  externalKey: { sent: 'ExternalKey', column: 'external_key', kind: 'text' },
  /** The value is a documented one or any other, as with `status`. */
  category: { sent: 'Category', column: 'category', kind: 'text' },
  expertComment: { sent: 'ExpertComment', column: 'expert_comment', kind: 'text' },
  costEstimateRappen: {
    sent: 'CostEstimateAmount',
    column: 'cost_estimate_rappen',
    kind: 'amount',
  },
  approvedRappen: { sent: 'ApprovedAmount', column: 'approved_rappen', kind: 'amount' },
  archiveState: { sent: 'ArchiveState', column: 'archive_state', kind: 'flag' },
  hailDriveInAccepted: {
    sent: 'HailDriveInAccepted',
    column: 'hail_drive_in_accepted',
    kind: 'flag',
  },
} as const satisfies CaseFields;

/**
 * The fields that `digestPayload` reads out of a payload. An absent text is '', and an absent day
 * is null. If the list sorts by a text, the text has a second column without accents and case.
 */
export const digestFields = {
  policyNumber: { column: 'policy_number', sortKey: 'policy_key', kind: 'text' },
  claimType: { column: 'claim_type', kind: 'text' },
  inspectionType: { column: 'inspection_type', sortKey: 'inspection_type_key', kind: 'text' },
  inspectionDate: { column: 'inspection_date', kind: 'day' },
  incidentDate: { column: 'incident_date', kind: 'day' },
  /** The party whose property is inspected: counterparty in liability, else insured. */
  partyName: { column: 'party_name', sortKey: 'party_key', kind: 'text' },
  /** The place of the inspection: postal code and city. */
  place: { column: 'place', sortKey: 'place_key', kind: 'text' },
  /** The postal code of the place of the inspection. */
  postalCode: { column: 'postal_code', kind: 'text' },
  licensePlate: { column: 'license_plate', sortKey: 'plate_key', kind: 'text' },
  /**
   * The make and model; if they are absent, the machine's type; in category appraiser the kind of
   * object.
   */
  subject: { column: 'subject', sortKey: 'subject_key', kind: 'text' },
} as const satisfies CaseFields;

type ValuesOf<Fields extends CaseFields> = {
  readonly [Name in keyof Fields]: Values[Fields[Name]['kind']];
};
export type SentValues = ValuesOf<typeof sentFields>;
export type DigestValues = ValuesOf<typeof digestFields>;

/** Makes a value for each field of a table, by the field's kind. */
export function byKind<Fields extends CaseFields, Made extends Readonly<Record<Kind, unknown>>>(
  fields: Fields,
  made: Made,
): { [Name in keyof Fields]: Made[Fields[Name]['kind']] } {
  const entries = Object.entries(fields).map(([name, { kind }]) => [name, made[kind]]);
  // The cast restores the names of the table, which Object.fromEntries drops.
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Made[Fields[Name]['kind']] };
}

/** Reads each value by the name in a table. @param read reads a field of each kind */
export function valuesOf<Fields extends CaseFields>(
  fields: Fields,
  read: (field: Fields[keyof Fields], name: string) => unknown,
): ValuesOf<Fields> {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    read(field as Fields[keyof Fields], name),
  ]);
  return Object.fromEntries(entries) as ValuesOf<Fields>;
}
