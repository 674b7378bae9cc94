import type { JsonSchema } from './schema.ts';
import { countries, currencies, driverAnswers } from './values.ts';

/**
 * Common parts of the four schemas (specification, "Common rules for all categories"). They are
 * copied into each schema, not referenced, so that each downloaded file stands alone.
 */

/** Month 01-12, day 01-31; that the calendar has the day is beyond a pattern. */
export const datePattern = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';
const optionalDatePattern = '^$|^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';

export const text: JsonSchema = { type: 'string' };
export const filled: JsonSchema = { type: 'string', minLength: 1 };

function textUpTo(maxLength: number): JsonSchema {
  return { type: 'string', minLength: 1, maxLength };
}

/** No `type` beside it: the list says everything in one message. */
export function oneOf(list: readonly string[]): JsonSchema {
  return { enum: list };
}

export const date: JsonSchema = { type: 'string', pattern: datePattern, title: 'date' };
export const dateOrNull: JsonSchema = {
  type: ['string', 'null'],
  pattern: datePattern,
  title: 'date',
};
/** A date, an empty string or null; the last two mean not set. */
const optionalDate: JsonSchema = {
  type: ['string', 'null'],
  pattern: optionalDatePattern,
  title: 'date',
};
/** HH:MM on the 24-hour clock, or null. */
export const timeOrNull: JsonSchema = {
  type: ['string', 'null'],
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  title: 'time',
};

export const policyNumber = textUpTo(200);
/** Categories appraiser and fraud. */
export const shortPolicyNumber = textUpTo(80);
export const claimType = textUpTo(200);
export const damageDescription = textUpTo(4000);
export const supportRequest = textUpTo(10_000);
export const estimatedAmount: JsonSchema = {
  title: 'amount',
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  ],
};
export const estimatedCurrency = oneOf(currencies);
export const remarks: JsonSchema = { type: ['string', 'null'], maxLength: 4000 };
export const country = oneOf(countries);
export const driverAtIncident = oneOf(driverAnswers);

/** Every object allows members that it does not name (decisions, "Validation"). */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return required.length === 0
    ? { type: 'object', properties }
    : { type: 'object', properties, required };
}

const postal = { name: text, address: text, postalCode: text, city: text };
const reach = { phone: text, email: text };
const optionalDates = { firstRegistration: optionalDate, birthDate: optionalDate };

/**
 * A party of the claim.
 * @param more the members that not every category lists.
 * @param needed members that are always present and not empty.
 */
export function party(
  more: Readonly<Record<string, JsonSchema>> = {},
  needed: readonly string[] = [],
): JsonSchema {
  const needs = Object.fromEntries(needed.map((member) => [member, filled]));
  return object({ ...postal, ...reach, note: text, ...needs, ...more, ...optionalDates }, needed);
}

export const car = { licensePlate: text, vin: text, carMake: text, carModel: text };
export const machine = { licensePlate: text, vin: text, make: text, model: text };

/** Workshop and inspection contact; a required member is present, and a string. */
export function place(
  required: readonly string[],
  more: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const { name, ...address } = postal;
  return object({ name, ...reach, ...address, ...more }, required);
}

export const location = object({ address: text, postalCode: text, city: filled }, ['city']);

/** Persons of a fraud claim, at most 25 on each side. */
export const persons: JsonSchema = {
  type: 'array',
  maxItems: 25,
  items: object({ ...postal, ...reach, ...optionalDates, driverAtIncident }),
};

/** The party's members are present and not empty (decisions, "Validation"). */
export function filledParty(members: readonly string[]): JsonSchema {
  return object(Object.fromEntries(members.map((member) => [member, filled])), members);
}

/** When every named member has one of its values, `then` must hold. */
export function when(
  rule: string,
  conditions: Readonly<Record<string, readonly string[]>>,
  then: JsonSchema,
): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(conditions).map(([member, list]) => [member, oneOf(list)]),
  );
  return { $comment: rule, if: object(properties, Object.keys(conditions)), then };
}

/** The frame of a category's schema: members in the order of the specification's table. */
export function categorySchema(
  category: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  rules: readonly JsonSchema[],
): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/v1/schemas/claims/${category}.json`,
    title: `Claim payload, category ${category}`,
    ...object(properties, required),
    allOf: rules,
  };
}
