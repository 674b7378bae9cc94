import { describe, expect, it } from 'vitest';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import { formatViolation, inFieldOrder } from '#shared/payload/violation.ts';

const at = (...path: (string | number)[]) => ({ path, requirement: 'is required.' });

describe('violations', () => {
  it('are written as path, colon, requirement', () => {
    expect(formatViolation(at('insuredPersons', 2, 'birthDate'))).toBe(
      'insuredPersons[2].birthDate: is required.',
    );
    expect(formatViolation(at('location', 'city'))).toBe('location.city: is required.');
    expect(formatViolation(at())).toBe('PayloadJson: is required.');
  });

  it('are sorted by the table, parents first, items by number', () => {
    const sorted = [
      at('insured'),
      at('insuredPersons'),
      at('insuredPersons', 2, 'birthDate'),
      at('insuredPersons', 10, 'birthDate'),
      at('location'),
      at('incidentDate'),
      at('remarks'),
    ];
    expect(inFieldOrder(sorted.toReversed(), payloadSchemas.fraud)).toEqual(sorted);
  });
});
