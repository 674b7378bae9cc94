import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deskErrorCodes, isDeskProblem } from '#shared/desk/desk-error.ts';
import { deskProblemSchema } from '#shared/desk/errors.ts';

test('what is a problem without a schema is one by the schema, and the other way round', () => {
  const param = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue(),
  );
  const likely = fc.record(
    {
      code: fc.oneof(fc.constantFrom(...deskErrorCodes), fc.string()),
      params: fc.oneof(fc.dictionary(fc.string(), param), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(likely, fc.jsonValue()), (drawn) => {
      const value: unknown = JSON.parse(JSON.stringify(drawn));
      expect(isDeskProblem(value)).toBe(deskProblemSchema.safeParse(value).success);
    }),
    { numRuns: 2000 },
  );
});
