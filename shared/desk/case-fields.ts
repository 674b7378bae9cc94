/** What a field is; a day is YYYY-MM-DD. */
interface Values {
  text: string;
  flag: boolean;
  /** Whole Rappen. */
  amount: number | null;
  day: string | null;
}
type Kind = keyof Values;

interface CaseField {
  readonly column: string;
  readonly kind: Kind;
  /** The partner's name. */
  readonly sent?: string;
  readonly sortKey?: string;
}
type CaseFields = Readonly<Record<string, CaseField>>;

/**
 * The plain fields that the partner sends of a case, by their names here. What is read from an
 * answer, the columns of the cache, the history and the row of the list follow from this table.
 */
export const sentFields = {
  /** One of the documented values; anything else a server sends is shown unchanged. */
  status: { sent: 'Status', column: 'status', kind: 'text' },
  externalKey: { sent: 'ExternalKey', column: 'external_key', kind: 'text' },
  /** As `status`. */
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
 * The fields that `digestPayload` reads out of a payload: texts are '' and days null if absent. A
 * text that the list sorts by has a second column without accents and case.
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
  /** Of the same place. */
  postalCode: { column: 'postal_code', kind: 'text' },
  licensePlate: { column: 'license_plate', sortKey: 'plate_key', kind: 'text' },
  /** Make and model, else the machine's type, else (category appraiser) the kind of object. */
  subject: { column: 'subject', sortKey: 'subject_key', kind: 'text' },
} as const satisfies CaseFields;

type ValuesOf<Fields extends CaseFields> = {
  readonly [Name in keyof Fields]: Values[Fields[Name]['kind']];
};
export type SentValues = ValuesOf<typeof sentFields>;
export type DigestValues = ValuesOf<typeof digestFields>;

/** For each field what its kind gives. */
export function byKind<Fields extends CaseFields, Made extends Readonly<Record<Kind, unknown>>>(
  fields: Fields,
  made: Made,
): { [Name in keyof Fields]: Made[Fields[Name]['kind']] } {
  const entries = Object.entries(fields).map(([name, { kind }]) => [name, made[kind]]);
  // Object.fromEntries forgets the names, which are those of the table.
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Made[Fields[Name]['kind']] };
}

/** Values read one by one, by the names of a table. @param read of the field's own kind */
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
