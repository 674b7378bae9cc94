import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineClock } from '../../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from '../../gateway/support/gateway.ts';
import { send } from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';

let service: ServiceForTest;
let gateway: GatewayForTest;
beforeAll(async () => {
  service = await startService({ clock: machineClock });
  gateway = await startGateway(service);
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

/** Rules of the linter's recommended set that the documents do not follow, each with its reason. */
const exceptions = {
  // A `then` requires a member that the schema around it defines.
  'no-required-schema-properties-undefined': 'off',
} as const;

test.each(['service', 'gateway'] as const)(
  'OpenAPI: redocly has nothing to say about /openapi.json of the %s',
  async (of) => {
    const { baseUrl } = of === 'service' ? service : gateway;
    const { text } = await send('GET', `${baseUrl}/openapi.json`);
    const config = await createConfig({ extends: ['recommended'], rules: exceptions });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    const found = problems.map(
      ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ''}: ${message}`,
    );
    expect(found).toEqual([]);
  },
);
