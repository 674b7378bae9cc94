import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { categories, type Category } from '#shared/api/case.ts';
import { send, type PartnerAnswer } from '../main/service/support/partner.ts';
import { createFakeClock } from '../main/service/support/fake-clock.ts';
import { startService, type ServiceForTest } from '../main/service/support/service.ts';
import { isBeyondSchema, mutated } from '../shared/payload/mutated.ts';
import { today } from '../shared/payload/samples.ts';

const resultSchema = z.object({
  Valid: z.boolean(),
  Errors: z.object({ PayloadJson: z.array(z.string()) }).optional(),
});

let service: ServiceForTest;
const downloaded = new Map<Category, ValidateFunction>();

beforeAll(async () => {
  service = await startService({ clock: createFakeClock(Date.parse(`${today}T10:00:00Z`)) });
  for (const category of categories) {
    const answer = await send('GET', `${service.baseUrl}/v1/schemas/claims/${category}.json`);
    // As a partner would: what came over the wire, into a validator of its own as it comes.
    downloaded.set(category, new Ajv2020().compile(answer.json as object));
  }
});
afterAll(() => service.remove());

function validate(category: Category, payload: unknown): Promise<PartnerAnswer> {
  return send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Category: category, PayloadJson: JSON.stringify(payload) }),
  });
}

test('I3: agrees with the downloaded schema about what a schema can say', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async ({ category, payload }) => {
      const answer = await validate(category, payload);
      expect(answer.status, answer.text).toBe(200);
      const { Valid, Errors } = resultSchema.parse(answer.json);
      const messages = (Errors?.PayloadJson ?? []).slice(1);
      expect(messages.length > 0).toBe(!Valid);
      const bySchema = messages.filter((message) => !isBeyondSchema(message, payload));
      expect(downloaded.get(category)?.(payload)).toBe(bySchema.length === 0);
    }),
    { numRuns: 600 },
  );
});
