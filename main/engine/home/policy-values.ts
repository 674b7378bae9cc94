import type { PolicyValue } from '#shared/desk/workspace.ts';

/** A policy's leaves with their dotted names, in the policy's order. It holds no secret. */
export function policyValues(policy: object, prefix = ''): PolicyValue[] {
  return Object.entries(policy).flatMap(([name, value]: [string, unknown]): PolicyValue[] => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value))
      return policyValues(value, `${prefix}${name}.`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ name: `${prefix}${name}`, value: text }];
  });
}
