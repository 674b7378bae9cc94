import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { send } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

const { service } = await shareService();

/** Rules of the linter's recommended set that the document does not follow, each with its reason. */
const exceptions = {
  // A `then` requires a member that the schema around it defines.
  'no-required-schema-properties-undefined': 'off',
} as const;

test('OpenAPI: redocly has nothing to say about the document', async () => {
  const { text } = await send('GET', `${service.baseUrl}/openapi.json`);
  const config = await createConfig({ extends: ['recommended'], rules: exceptions });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  const found = problems.map(
    ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ''}: ${message}`,
  );
  expect(found).toEqual([]);
});
