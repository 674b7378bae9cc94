import { describe, expect, it } from 'vitest';
import { json, reset } from '../../../support/partner/hostile-server.ts';
import { createTestClient, createTestMemory } from '../../engine/support/test-client.ts';
import { caseId, caseRecord, shareHostilePartner } from './hostile-partner.ts';

const { connect, server } = shareHostilePartner();

describe('care', () => {
  it('the log names operations and codes, and nothing secret or personal', async () => {
    const { client, log } = connect();
    server().next(reset, json(200, caseRecord));
    await client.getCase(caseId);
    expect(log.map(({ operation, status, problem: code }) => [operation, status, code])).toEqual([
      ['token', 200, null],
      ['X2', null, 'connection_lost'],
      ['X2', 200, null],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/token-\d|SCH-1|http/);
    // What was searched for is not in the address that the diagnostics show.
    await client.listCases({ page: 1, size: 50 });
    const address = `${server().baseUrl}/v1/experts/cases`;
    expect(client.lastExchange()).toMatchObject({ operation: 'X1', address, status: 200 });
  });

  it.each(['ftp://x', 'nonsense', 'https://user:pw@host'])('refuses the base address %s', (url) => {
    expect(() => createTestClient(url)).toThrow('base_url_invalid');
  });

  it('forgets a memory that it cannot read', async () => {
    const memory = createTestMemory();
    memory.text = '{"version":1,"token":7}';
    await connect({ memory }).client.listCases({ page: 1, size: 50 });
    expect(server().tokenRequests).toHaveLength(1);
  });
});
