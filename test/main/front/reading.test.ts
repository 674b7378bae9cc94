import { describe, expect, test } from 'vitest';
import { send } from '../service/support/partner.ts';
import { shareService } from '../service/support/service.ts';

const { service } = await shareService();
const insurer = await service.partner('insurer');

describe.each(['/v1/insurers/claims?size=1', '/v1/insurers/claims/12', '/openapi.json', '/health'])(
  'a reading of %s',
  (path) => {
    const ask = (method: 'GET' | 'HEAD') =>
      path.startsWith('/v1')
        ? insurer.request(method, path)
        : send(method, `${service.baseUrl}${path}`);

    test(`Cache-Control: ${path} is not stored on the way`, async () => {
      expect((await ask('GET')).headers['cache-control']).toBe('no-store');
    });

    test(`HEAD: ${path} answers as GET does, without the body`, async () => {
      const [got, head] = [await ask('GET'), await ask('HEAD')];
      expect(head.status).toBe(got.status);
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
      expect(head.body).toHaveLength(0);
    });
  },
);

test('HEAD: a proof for GET is not one for HEAD', async () => {
  const path = '/v1/insurers/claims';
  const token = await insurer.token();
  const answer = await send('HEAD', service.baseUrl + path, {
    headers: {
      authorization: `DPoP ${token}`,
      dpop: await insurer.proof('GET', service.baseUrl + path),
    },
  });
  expect(answer.status).toBe(401);
});
