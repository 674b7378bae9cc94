import { textOf } from './parse-payload.ts';

/**
 * The inspection type of a case, empty if it has none. Category fraud has none, even if its payload
 * contains one (decisions, "Lists").
 * @param payload any JSON value
 */
export function inspectionTypeOf(category: string, payload: unknown): string {
  return category === 'fraud' ? '' : textOf(payload, 'inspectionType');
}
