import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPages } from '#main/partner/pull/list-reading.ts';
import {
  emptyPage,
  grant,
  json,
  loginPage,
  type Handler,
} from '../../../support/partner/hostile-server.ts';
import { problemOf } from '../../engine/support/test-client.ts';
import {
  caseId,
  caseRecord,
  shareHostilePartner,
  submissionId,
  submissionRecord,
} from './hostile-partner.ts';

const { connect, host, server } = shareHostilePartner();

describe('answers that cannot be true', () => {
  it.each(['a\nb', 'ümlaut', 'a b', 'x'.repeat(20_000)])(
    'a token that no header can carry is refused in a sentence (%#)',
    async (access_token) => {
      server().token = grant({ access_token });
      expect(await problemOf(connect().client.getCase(caseId))).toEqual({
        code: 'answer_invalid',
        params: { operation: 'token', detail: 'access_token' },
      });
      expect(server().seen).toEqual([]);
    },
  );

  it('a list that has no end is read as far as its Total reaches', async () => {
    const { client, clock } = connect();
    let asked = 0;
    server().always = (...args) => {
      asked += 1;
      const item = { ...submissionRecord, Id: randomUUID(), SequenceNo: asked };
      return json(200, { Total: 3 + asked, Page: asked, Size: 1, Items: [item] })(...args);
    };
    const read = (async () => {
      for await (const { value } of readPages('X10', 1, (page) => client.listReports(caseId, page)))
        expect(value.items).toHaveLength(1);
    })();
    const outcome = problemOf(read);
    for (let wait = 0; wait < 60 && asked < 19; wait += 1) await clock.advance(2_000);
    expect(await outcome).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X10', detail: 'Total' },
    });
    expect(asked).toBe(19);
  });

  it('an item of the list that is no case: the others are read, it is stored unchanged', async () => {
    const bad = { Id: caseId, LastChangedAt: 'yesterday' };
    const page = { ...emptyPage, Total: 3, Items: [caseRecord, bad, null] };
    server().always = json(200, page);
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.items.map(({ id }) => id)).toEqual([caseId]);
    expect(value.unreadable).toEqual([
      { id: caseId, place: 'LastChangedAt', json: JSON.stringify(bad) },
      { id: expect.stringMatching(/^#[0-9a-f]{12}$/) as string, place: '', json: 'null' },
    ]);
  });
});

describe('answers that are not the partner\u2019s', () => {
  const portal = () => ({ code: 'captive_portal', params: { host: host(), found: 'text/html' } });

  it('a login page with 200 to a GET and to the token request', async () => {
    server().plain = loginPage;
    server().next(loginPage);
    expect(await problemOf(connect().client.getCase(caseId))).toEqual(portal());
    server().token = loginPage;
    expect(await problemOf(connect().client.getCase(caseId))).toEqual(portal());
  });

  it('a login page with 200 to a change: the outcome is unknown', async () => {
    server().always = loginPage;
    server().plain = loginPage;
    const { client } = connect();
    const expected = { code: 'outcome_unknown', params: { cause: 'captive_portal' } };
    expect(await problemOf(client.createDraft(caseId, ''))).toMatchObject(expected);
    expect(await problemOf(client.putComment(caseId, ''))).toMatchObject(expected);
  });

  it('a page that a plain request is not given comes from the partner’s side', async () => {
    const page =
      (status: number): Handler =>
      (response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Request blocked');
      };
    for (const status of [200, 403, 404]) {
      server().next(page(status));
      expect(await problemOf(connect().client.getCase(caseId))).toEqual({
        code: 'answer_foreign',
        params: { host: host(), found: 'text/html', status },
      });
    }
    server().token = page(200);
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'answer_foreign',
    });
  });

  it.each(['text/html', 'application/problem+json', 'text/plain'])(
    '511 is a portal, whatever it is sent as (%s)',
    async (found) => {
      const ask: Handler = (response) => {
        response.writeHead(511, { 'content-type': found }).end('{}');
      };
      server().next(ask);
      const expected = { code: 'captive_portal', params: { host: host(), found } };
      expect(await problemOf(connect().client.getCase(caseId))).toEqual(expected);
      server().token = ask;
      expect(await problemOf(connect().client.getCase(caseId))).toEqual(expected);
    },
  );

  it('an answer over 16 MB is named as that', async () => {
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"Id":"`);
      const piece = 'x'.repeat(1024 * 1024);
      for (let megabytes = 0; megabytes < 17; megabytes += 1) response.write(piece);
      response.end('"}');
    });
    expect(await problemOf(connect().client.getCase(caseId))).toEqual({
      code: 'answer_too_large',
      params: { host: host(), maxMegabytes: 16 },
    });
  });

  it.each([
    ['a comma too many', '{"Total":0,"Items":[],}'],
    ['nothing', ''],
    ['two documents', '{"Total":0,"Items":[]}{}'],
    ['a guard before it', `)]}',\n{"Total":0,"Items":[]}`],
  ])(
    'what calls itself JSON and is none (%s) is told as that, and not as a page',
    async (_, body) => {
      server().next((response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      expect(await problemOf(connect().client.listCases({ page: 1, size: 50 }))).toEqual({
        code: 'answer_invalid',
        params: { operation: 'X1', detail: 'JSON' },
      });
    },
  );

  it('a list that is answered with 204 is empty', async () => {
    server().always = (response) => void response.writeHead(204).end();
    const { client } = connect();
    expect((await client.listCases({ page: 1, size: 50 })).value.total).toBe(0);
    expect((await client.listReports(caseId, { page: 1, size: 50 })).value.items).toEqual([]);
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'answer_invalid' });
  });

  it('JSON by its old name is read', async () => {
    server().next((response) => {
      const type = { 'content-type': 'text/json; charset=utf-8' };
      response.writeHead(200, type).end(JSON.stringify(emptyPage));
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.total).toBe(0);
  });

  it('one record of 80 MB in a list costs none of the others', async () => {
    const good = { ...caseRecord, Id: randomUUID() };
    const text = JSON.stringify({
      ...emptyPage,
      Total: 2,
      Items: [{ ...caseRecord, PayloadJson: 'HUGE' }, good],
    });
    const [before = '', after = ''] = text.split('HUGE');
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(before);
      const piece = 'x'.repeat(1024 * 1024);
      for (let megabytes = 0; megabytes < 80; megabytes += 1) response.write(piece);
      response.end(after);
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.items.map(({ id }) => id)).toEqual([good.Id]);
    expect(value.unreadable).toMatchObject([{ id: caseRecord.Id, place: 'PayloadJson' }]);
    expect(value.unreadable[0]?.json?.length).toBeLessThan(10_000);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('an answer in %s that nobody asked for is decoded', async (encoding, compress) => {
    server().next((response) => {
      const type = { 'content-type': 'application/json', 'content-encoding': encoding };
      response.writeHead(200, type).end(compress(JSON.stringify(emptyPage)));
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.total).toBe(0);
  });

  it('a compressed answer that is cut is a broken line', async () => {
    server().always = (response) => {
      const type = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const bytes = gzipSync(JSON.stringify(emptyPage));
      response.writeHead(200, type).end(bytes.subarray(0, bytes.length / 2));
    };
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'connection_lost',
    });
  });

  it.each([{}, { 'content-type': 'text/html' }, { 'content-type': 'application/json' }])(
    'a proxy that asks for a sign-in, with %j',
    async (headers) => {
      server().next((response) => {
        response.writeHead(407, headers).end('{}');
      });
      const expected = { code: 'proxy_sign_in', params: { host: host() } };
      expect(await problemOf(connect().client.getCase(caseId))).toEqual(expected);
    },
  );

  it('a login page behind a 403 is a page, not the partner\u2019s refusal', async () => {
    server().always = (response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html>');
    };
    server().plain = (response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html>');
    };
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toEqual(portal());
  });

  it('a redirect is refused and not followed', async () => {
    const redirect: Handler = (response) => {
      response.writeHead(302, { location: `${server().baseUrl}/elsewhere` }).end();
    };
    server().always = redirect;
    const { client } = connect();
    const expected = { code: 'redirect_refused', params: { host: host() } };
    expect(await problemOf(client.getCase(caseId))).toEqual(expected);
    expect(await problemOf(client.createDraft(caseId, ''))).toEqual(expected);
    expect(server().seen).toHaveLength(2);
  });

  it('a proxy that takes no body of this size refuses it, page or not', async () => {
    server().next((response) => {
      response.writeHead(413, { 'content-type': 'text/html' }).end('<html>');
    });
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_refused',
      params: { status: 413 },
    });
  });

  it('the date of a portal\u2019s page is not taken for the partner\u2019s', async () => {
    server().token = (response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        date: 'Thu, 01 Jan 1998 00:00:00 GMT',
      });
      response.end('<html>');
    };
    const { client, clock } = connect();
    await problemOf(client.getCase(caseId));
    expect(client.serverNow()).toBe(clock.now());
  });

  it('JSON that the schema does not promise is named by its place, without its values', async () => {
    server().next(json(200, { ...caseRecord, Id: 'Herr Zumstein' }));
    expect(await problemOf(connect().client.getCase(caseId))).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X2', detail: 'Id' },
    });
  });
});

describe('tolerance', () => {
  it('nulls, further members, other success codes, no correlation id, other ids', async () => {
    const { client } = connect();
    const sparse = {
      Id: '00000000-0000-0000-0000-00000000ABCD',
      LastChangedAt: '2026-03-01T08:00:00.1234567+01:00',
      Insurer: null,
      ExpertComment: null,
      Surprise: { a: [1] },
      CostEstimateAmount: 0.1 + 0.2,
    };
    server().next(json(202, { Total: 1, Items: [sparse], Extra: true }));
    const { value, status, correlationId, serverDateMs } = await client.listCases({
      page: 1,
      size: 50,
    });
    expect(status).toBe(202);
    expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(serverDateMs).not.toBeNull();
    expect(value).toMatchObject({ total: 1 });
    expect(value.items[0]).toMatchObject({
      id: sparse.Id,
      lastChangedAt: sparse.LastChangedAt,
      expertComment: '',
      costEstimateRappen: 30,
      approvedRappen: null,
      insurer: { name: '' },
    });
  });

  it('X2 and X10: every member of a full record', async () => {
    const { client } = connect();
    server().next(json(200, caseRecord, { 'x-correlation-id': 'theirs' }));
    const answered = await client.getCase(caseId);
    expect(answered.correlationId).toBe('theirs');
    expect(answered.value).toMatchObject({
      externalKey: 'SCH-1',
      costEstimateRappen: 123_456,
      insurer: { name: 'Muster', responsible: { email: 'a@b.ch' } },
    });
    server().next(
      json(200, { ...emptyPage, Total: 1, Items: [{ ...submissionRecord, RevisionNo: 3 }] }),
    );
    const { value } = await client.listReports(caseId, { page: 1, size: 50 });
    expect(value.items[0]).toMatchObject({
      id: submissionId,
      caseId,
      revisionNo: 3,
      status: 'Draft',
    });
  });

  it('what must not be guessed is required', async () => {
    const { client } = connect();
    server().next(json(200, { Items: [] }));
    expect(await problemOf(client.listCases({ page: 1, size: 50 }))).toMatchObject({
      code: 'answer_invalid',
      params: { detail: 'Total' },
    });
    server().next(json(200, { Id: caseId }));
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'answer_invalid' });
  });
});
