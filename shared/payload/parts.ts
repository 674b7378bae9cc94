/** The keywords of JSON Schema 2020-12 that the payload schemas use. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Members;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
}

export type Members = Readonly<Record<string, JsonSchema>>;

/*
 * The parts of the schemas (specification, "Common rules for all categories"). They are copied into
 * each schema, not referenced, so that each downloaded file is complete. A list of values has no
 * `type`, so that a wrong value produces one message only.
 */

const text: JsonSchema = { type: 'string' };
const filled: JsonSchema = { type: 'string', minLength: 1 };

export function textUpTo(maxLength: number): JsonSchema {
  return { type: 'string', minLength: 1, maxLength };
}

/** Month 01-12 and day 01-31. A pattern cannot check that the day exists. */
export const datePattern = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';

export const date: JsonSchema = { type: 'string', pattern: datePattern, title: 'date' };
export const dateOrNull: JsonSchema = { ...date, type: ['string', 'null'] };
/** A date, an empty string or null. The last two mean that the date is not set. */
const optionalDate: JsonSchema = { ...dateOrNull, pattern: `^$|${datePattern}` };
/** A time HH:MM on the 24-hour clock, or null. */
export const timeOrNull: JsonSchema = {
  type: ['string', 'null'],
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  title: 'time',
};
export const amount: JsonSchema = {
  title: 'amount',
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  ],
};
export const remarks: JsonSchema = { type: ['string', 'null'], maxLength: 4000 };

/**
 * An object with these members. Members that it does not name are allowed (decisions,
 * "Validation").
 */
export function object(properties: Members, required: readonly string[] = []): JsonSchema {
  return required.length === 0
    ? { type: 'object', properties }
    : { type: 'object', properties, required };
}

const texts = (...members: string[]): Members =>
  Object.fromEntries(members.map((member) => [member, text]));

const person = texts('name', 'address', 'postalCode', 'city', 'phone', 'email');
const optionalDates = { firstRegistration: optionalDate, birthDate: optionalDate };

/** A party of the claim. `more` has the members that only some categories list. */
export function party(more: Members = {}): JsonSchema {
  return object({ ...person, note: text, ...more, ...optionalDates });
}

export const deductible = texts('deductible');
export const car = texts('licensePlate', 'vin', 'carMake', 'carModel');
export const machine = texts('licensePlate', 'vin', 'make', 'model');

/** The persons of a fraud claim, at most 25 on each side. */
export function persons(more: Members): JsonSchema {
  return { type: 'array', maxItems: 25, items: object({ ...person, ...optionalDates, ...more }) };
}

/** Workshop and inspection contact. */
export function place(more: Members = {}): JsonSchema {
  return object({ ...texts('name', 'phone', 'email', 'address', 'postalCode', 'city'), ...more });
}

export const location = object({ address: text, postalCode: text, city: filled }, ['city']);

/** A condition: the members are present and match their schemas. */
export function needs(members: Members): JsonSchema {
  return object(members, Object.keys(members));
}

/** A condition: the members are present. */
export function has(...members: string[]): JsonSchema {
  return needs(Object.fromEntries(members.map((member) => [member, {}])));
}

/** A condition: the members are present and not empty. */
export function hasFilled(...members: string[]): JsonSchema {
  return needs(Object.fromEntries(members.map((member) => [member, filled])));
}

type Values = Readonly<Record<string, readonly string[]>>;

const among = (values: Values): Members =>
  Object.fromEntries(Object.entries(values).map(([member, list]) => [member, { enum: list }]));

/** A condition: the members, if present, have one of their values. */
export function allows(values: Values): JsonSchema {
  return object(among(values));
}

/** A rule: if every named member has one of its values, `then` applies. */
export function when(conditions: Values, then: JsonSchema): JsonSchema {
  return { if: needs(among(conditions)), then };
}

/** The only members that the specification's table of a category does not require. */
const optionalMembers = new Set([
  'counterparty',
  'insuredPersons',
  'counterpartyPersons',
  'incidentTime',
  'workshop',
  'inspectionContact',
  'inspectionDate',
  'remarks',
]);

/**
 * The schema of a category.
 * @param members in the order of the specification's table
 * @param rules by their number in the specification
 */
export function categorySchema(
  category: string,
  members: Members,
  rules: Readonly<Record<number, JsonSchema>>,
): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/v1/schemas/claims/${category}.json`,
    title: `Claim payload, category ${category}`,
    ...object(
      members,
      Object.keys(members).filter((member) => !optionalMembers.has(member)),
    ),
    allOf: Object.entries(rules).map(([number, rule]) => ({
      $comment: `${category} ${number}`,
      ...rule,
    })),
  };
}
