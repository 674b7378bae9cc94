import { afterEach, beforeEach, expect, test } from 'vitest';
import { startS3Server, type S3ServerForTest } from '../../support/s3-server.ts';
import { acceptedCase, contents, upload } from '../service/support/claims.ts';
import { send } from '../service/support/partner.ts';
import { objectsForTest, startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from './support/gateway.ts';

/* Documents of the gateway in a bucket that is away for a while. */

let bucket: S3ServerForTest;
let service: ServiceForTest;
let gateway: GatewayForTest;

beforeEach(async () => {
  bucket = await startS3Server();
  service = await startService({ clock: machineClock });
});
afterEach(async () => {
  await gateway.remove();
  await service.remove();
  await bucket.close();
});

test('bucket: X7 passes a new document on without it, refuses a stored one in words, and /health tells it', async () => {
  const insurer = await service.partner('insurer');
  const { Id: caseId } = await acceptedCase(service, insurer);
  const added = await insurer.request('POST', `/v1/insurers/claims/${caseId}/documents`, {
    body: upload(contents.pdf),
  });
  const { Id: documentId } = added.json as { Id: string };
  gateway = await startGateway(service, { objects: objectsForTest(bucket.url) });
  const laptop = await gateway.laptop();
  const read = () => laptop.request('GET', `/v1/experts/cases/${caseId}/documents/${documentId}`);
  const health = async () =>
    (await send('GET', `${gateway.baseUrl}/health`)).json as { documents: string; detail: string };
  const isWhole = (json: unknown) =>
    (json as { ContentBase64: string }).ContentBase64 === contents.pdf.toString('base64');

  bucket.refuse = () => true;
  expect(isWhole((await read()).json)).toBe(true);
  expect(await health()).toMatchObject({ status: 'degraded', documents: 'failing' });
  bucket.refuse = undefined;
  expect(isWhole((await read()).json)).toBe(true);
  await expect.poll(() => bucket.objects()).toHaveLength(1);
  expect((await health()).documents).toBe('ok');

  bucket.refuse = () => true;
  expect((await read()).json).toMatchObject({
    title: 'upstream_error',
    detail: 'the storage for documents cannot be reached',
  });
  expect((await health()).detail).toContain('storage for documents');
});
