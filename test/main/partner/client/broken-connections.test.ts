import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  json,
  problem,
  reset,
  startHostileServer,
  type Handler,
} from '../../../support/partner/hostile-server.ts';
import { problemOf } from '../../engine/support/test-client.ts';
import { caseId, caseRecord, shareHostilePartner } from './hostile-partner.ts';

const { connect, host, server } = shareHostilePartner();

describe('broken connections', () => {
  const half: Handler = (response) => {
    const text = JSON.stringify(caseRecord);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, 40), () => response.socket?.destroy());
  };
  const quietHalf: Handler = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(caseRecord).slice(0, 40));
  };

  it.each([
    ['reset without an answer', reset, 'connection_lost'],
    ['half of an answer, then reset', half, 'connection_lost'],
    ['half of an answer that ends as if it were whole', quietHalf, 'connection_lost'],
    ['a server failure', problem(500, 'upstream_error'), 'server_failed'],
  ])('a GET after %s is sent again, three times at most', async (_, handler, code) => {
    const { client } = connect();
    server().always = json(200, caseRecord);
    server().next(handler, handler);
    expect((await client.getCase(caseId)).status).toBe(200);
    expect(server().seen).toHaveLength(3);
    server().always = handler;
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code });
    expect(server().seen).toHaveLength(6);
  });

  it('a PUT is sent again, and its outcome is unknown when that does not help', async () => {
    const { client, clock } = connect();
    server().next(reset, reset, (response) => {
      response.writeHead(204).end();
    });
    const work = client.putAmounts(caseId, { costEstimateRappen: 123_456, approvedRappen: null });
    await clock.advance(1);
    expect((await work).status).toBe(204);
    expect(server().seen[2]?.body.toString()).toBe(
      '{"CostEstimateAmount":1234.56,"ApprovedAmount":null}',
    );
    server().next(reset, reset, reset);
    expect(await problemOf(client.putComment(caseId, 'x'))).toEqual({
      code: 'outcome_unknown',
      params: { cause: 'connection_lost', host: host() },
    });
  });

  it.each([
    ['refused', problem(409, 'invalid_state'), 'server_refused'],
    ['put off for long', problem(429, 'Too Many', { 'retry-after': '3000' }), 'rate_limited'],
  ])(
    'a PUT that is %s after its first answer was lost may have been carried out',
    async (_, handler, cause) => {
      const { client, clock } = connect();
      server().next(reset, handler);
      const work = problemOf(client.putComment(caseId, 'x'));
      await clock.advance(1);
      expect(await work).toMatchObject({ code: 'outcome_unknown', params: { cause } });
      server().next(handler);
      const clear = problemOf(client.putComment(caseId, 'x'));
      expect(await clear).toMatchObject({ code: cause });
    },
  );

  const gatewayPage: Handler = (response) => {
    response.writeHead(504, { 'content-type': 'text/html' }).end('<html>');
  };
  it.each([
    ['reset', reset, 'connection_lost'],
    ['server failure', problem(500, 'upstream_timeout'), 'server_failed'],
    ['gateway page', gatewayPage, 'server_failed'],
    ['failure title with another status', problem(400, 'upstream_timeout'), 'server_failed'],
    ['yes that breaks off', half, 'connection_lost'],
  ])('a POST is sent once; after a %s its outcome is unknown', async (_, handler, cause) => {
    server().next(handler);
    const { client } = connect();
    let sends = 0;
    const key = randomUUID();
    const options = {
      idempotencyKey: key,
      onSend: () => {
        sends++;
      },
    };
    expect(await problemOf(client.createDraft(caseId, '', options))).toMatchObject({
      code: 'outcome_unknown',
      params: { cause },
    });
    expect(sends).toBe(1);
    expect(server().seen).toHaveLength(1);
    expect(server().seen[0]?.headers['idempotency-key']).toBe(key);
  });

  it('a refused POST was certainly not carried out', async () => {
    server().next(
      problem(409, 'invalid_state', {}, { errors: { Comment: ['Comment: is required.'] } }),
    );
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_refused',
      params: {
        title: 'invalid_state',
        status: 409,
        detail: 'detail of invalid_state\nComment: is required.',
      },
    });
  });

  it('nothing listens: connection_refused, also for a POST', async () => {
    const { client } = connect();
    await client.listCases({ page: 1, size: 50 });
    const gone = await startHostileServer();
    await gone.stop();
    const nobody = connect({}, gone.baseUrl).client;
    const expected = { code: 'connection_refused', params: { host: new URL(gone.baseUrl).host } };
    expect(await problemOf(nobody.createDraft(caseId, ''))).toEqual(expected);
    expect(await problemOf(nobody.getCase(caseId))).toEqual(expected);
    expect(nobody.slotInMs('standard')).toBeLessThanOrEqual(1_000);
  });

  it('a name that does not exist', async () => {
    const { client } = connect({}, 'http://partner.invalid');
    expect(await problemOf(client.getCase(caseId))).toEqual({
      code: 'address_unknown',
      params: { host: 'partner.invalid' },
    });
  });

  it('a silent server: timeout after a minute without a byte', async () => {
    const { client, clock } = connect();
    await client.listCases({ page: 1, size: 50 });
    server().next(() => undefined);
    const read = problemOf(client.getCase(caseId));
    await clock.waitsFor((ms) => ms === 60_000);
    await clock.advance(60_000);
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('a server that stops in the middle of an answer: timeout', async () => {
    const { client, clock } = connect();
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"Total":');
    });
    const read = problemOf(client.getCase(caseId));
    let left = 1;
    void read.then(() => left--);
    const running = () => left > 0;
    while (running()) {
      await clock.waitsFor((ms) => ms === 30_000);
      await clock.advance(30_000);
    }
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('a server that sends a byte now and then: timeout after two minutes in all', async () => {
    const { client, clock } = connect();
    let send: () => void = () => undefined;
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      send = () => response.write(' ');
      send();
    });
    const startedAt = clock.now();
    const read = problemOf(client.getCase(caseId));
    let left = 1;
    void read.then(() => left--);
    const running = () => left > 0;
    while (running()) {
      await Promise.race([clock.waitsFor((ms) => ms > 10_000 && ms <= 30_000), read]);
      await clock.advance(9_000);
      send();
      if (clock.now() - startedAt > 600_000) throw new Error('it waits without end');
    }
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('an abort: while it waits, certainly not run; once it left, unknown', async () => {
    const { client } = connect();
    server().next(() => undefined);
    const giveUp = new AbortController();
    const sent = problemOf(
      client.createDraft(caseId, '', { signal: giveUp.signal, onSend: () => undefined }),
    );
    while (server().seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort();
    expect(await sent).toMatchObject({ code: 'outcome_unknown' });
    const early = problemOf(client.createDraft(caseId, '', { signal: giveUp.signal }));
    expect(await early).toMatchObject({ code: 'connection_lost' });
    expect(server().seen).toHaveLength(1);
  });

  it('after close every call ends', async () => {
    const { client } = connect();
    server().next(() => undefined);
    const running = problemOf(client.getCase(caseId));
    while (server().seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect(await running).toMatchObject({ code: 'connection_lost' });
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'connection_lost' });
  });
});
