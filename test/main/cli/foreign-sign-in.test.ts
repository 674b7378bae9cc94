import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { connectionCheckSchema } from '#shared/desk/setup/diagnostics.ts';
import { createDeskRunner, errorSchema, itemsSchema } from '../../support/desk-in-process.ts';
import { startForeignSignIn } from '../../support/partner/foreign-sign-in.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { makePdf } from '../../support/sample-files.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { acceptedCase, expectDone } from '../service/support/claims.ts';
import { shareService } from '../service/support/service.ts';

const { service, insurer, expert } = await shareService({ clock: machineClock });
const folder = temporaryFolder();
afterAll(() => folder.remove());

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  String(key.export({ type: 'pkcs8', format: 'pem' }));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

it('the first day with a partner whose sign-in is other people’s programs', async () => {
  const key = pemOf(privateKey);
  const keyFile = join(folder.path, 'key.pem');
  const wrongFile = join(folder.path, 'other.pem');
  writeFileSync(keyFile, key);
  writeFileSync(wrongFile, pemOf(otherKey));
  const claim = await acceptedCase(service, insurer);
  const signIn = await startForeignSignIn({ id: 'expert', key }, expert);
  const { baseUrl, tokenUrl } = signIn;
  const desk = createDeskRunner(join(folder.path, 'home'));
  const connect = (file: string, audience = tokenUrl) =>
    desk(
      'connect',
      '--base-url',
      baseUrl,
      '--audience',
      audience,
      '--client-id',
      'expert',
      '--key',
      file,
      '--htu-without-query',
    );
  try {
    for (const refused of [await connect(wrongFile), await connect(keyFile, 'http://elsewhere')]) {
      expect([refused.code, refused.json(errorSchema).code]).toEqual([1, 'sign_in_refused']);
    }
    expect((await desk('doctor')).json(connectionCheckSchema).asked).toMatchObject({
      address: tokenUrl,
      status: 401,
      title: 'invalid_client',
    });
    const connected = await connect(keyFile);
    expect([connected.code, connected.stderr]).toEqual([0, '']);
    const check = await desk('doctor');
    expect([check.code, check.json(connectionCheckSchema).ignored]).toEqual([0, []]);

    expect((await desk('sync')).code).toBe(0);
    expect((await desk('cases')).json(itemsSchema).items).toMatchObject([
      { id: claim.Id, externalKey: claim.ExternalKey },
    ]);
    await desk('amounts', claim.ExternalKey, '--estimate', '1000.10', '--approved', '900.05');
    const report = join(folder.path, 'report.pdf');
    const bytes = await makePdf('Expert report');
    writeFileSync(report, bytes);
    await desk(
      'report',
      claim.ExternalKey,
      '--file',
      report,
      '--comment',
      'Inspected.',
      '--submit',
    );
    const synced = await desk('sync');
    expect([synced.code, synced.json(deliveredSchema)]).toEqual([
      0,
      { delivered: 2, waiting: 0, attention: 0 },
    ]);

    const read = async (path: string) =>
      (await expectDone(expert.request('GET', `/v1/experts${path}`))).json;
    expect(await read(`/cases/${claim.Id}`)).toMatchObject({
      Status: 'ExpertCompleted',
      CostEstimateAmount: 1000.1,
      ApprovedAmount: 900.05,
    });
    const { Items: reports } = reportsSchema.parse(await read(`/cases/${claim.Id}/reports`));
    expect(reports).toMatchObject([{ Status: 'Submitted', Comment: 'Inspected.' }]);
    expect(await read(`/reports/${String(reports[0]?.Id)}/documents`)).toMatchObject({
      Items: [{ FileName: 'report.pdf', ContentBase64: bytes.toString('base64') }],
    });
    const { items } = (await desk('queue')).json(itemsSchema);
    expect(items.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect((await desk('reports', claim.ExternalKey)).json(itemsSchema).items).toMatchObject([
      { status: 'Submitted' },
    ]);
  } finally {
    await signIn.stop();
  }
});

const deliveredSchema = z.object({
  delivered: z.int(),
  waiting: z.int(),
  attention: z.int(),
});
const reportsSchema = z.object({ Items: z.array(z.looseObject({ Id: z.string() })) });
