import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Category } from '../api/case-words.ts';
import { implausibleDates } from './plausibility.ts';
import { payloadSchemas } from './schemas.ts';
import { formatViolation, inFieldOrder, violationsOf } from './violations.ts';

/** The first message of every invalid payload. */
export const mismatchMessage =
  'PayloadJson does not match the required schema for the selected category.';

/**
 * Checks a parsed payload against its category's schema and checks that its dates are plausible
 * (operations I2 and I3).
 * @param payload any JSON value
 * @param todayZurich YYYY-MM-DD, today in Europe/Zurich
 * @returns [] if the payload is valid; otherwise `mismatchMessage` and then one message for each
 *   violated member, in field order
 */
export function validatePayload(
  category: Category,
  payload: unknown,
  todayZurich: string,
): string[] {
  const validate = validatorOf(category);
  const bySchema = validate(payload) ? [] : violationsOf(validate.errors ?? []);
  const violations = [...bySchema, ...implausibleDates(category, payload, todayZurich)];
  if (violations.length === 0) return [];
  const ordered = inFieldOrder(violations, payloadSchemas[category]);
  return [mismatchMessage, ...ordered.map(formatViolation)];
}

/** The schemas are compiled at the first use, so that the service starts faster. */
const validators = new Map<Category, ValidateFunction>();

function validatorOf(category: Category): ValidateFunction {
  const known = validators.get(category);
  if (known) return known;
  const ajv = new Ajv2020({ allErrors: true, verbose: true });
  const validator = ajv.compile(payloadSchemas[category]);
  validators.set(category, validator);
  return validator;
}
