import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runDesk, startDesk } from '../support/processes.ts';
import { type ServiceHere, serviceFolderHere } from '../support/service-here.ts';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openServerView } from '../support/server-view.ts';

/** Every file under a folder, with its bytes. */
function readTree(dir: string): { path: string; bytes: Buffer }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

/** The places where a needle stands, in the encodings in which it could have been written. */
function placesOf(dir: string, needle: string): string[] {
  const forms = [Buffer.from(needle, 'utf8'), Buffer.from(needle, 'utf16le')];
  return readTree(dir)
    .filter(({ bytes }) => forms.some((form) => bytes.includes(form)))
    .map(({ path }) => path);
}

describe('under the home folder nothing is readable', () => {
  const folder = serviceFolderHere();
  const home = folder.at('home');
  const plain = folder.at('plain');
  const documentText = 'Seltsam-Unverwechselbar-4711';
  const partyName = 'Zebedaeus Quittenbaum';
  const comment = 'Kommentar-Unverwechselbar-0815';
  const draftText = 'Entwurf-Unverwechselbar-1291';
  let service: ServiceHere;

  beforeAll(async () => {
    mkdirSync(plain);
    vi.stubEnv('DESK_POLICY', folder.ownLimits.DESK_POLICY);
    service = await folder.start('--demo', '4', '--limits', 'x1000', '--backoffice');
    const server = await openServerView(service.credentials);
    const created = await server.insurer.request('POST', '/v1/insurers/claims', {
      body: {
        Category: 'appraiser',
        PayloadJson: JSON.stringify({
          policyNumber: 'P-1',
          claimInsurance: 'own',
          claimType: 'building',
          insured: { name: partyName, phone: '+41 44 000 00 00', city: 'Uster' },
          location: { city: 'Uster' },
          incidentDate: new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10),
          damageDescription: 'Wasser im Keller',
          estimatedAmount: 1200,
          estimatedCurrency: 'CHF',
          inspectionType: 'estimate_review',
        }),
      },
    });
    expect(created.status, created.text).toBe(201);
    const claimId = (created.json as { Id: string }).Id;
    const upload = await server.insurer.request(
      'POST',
      `/v1/insurers/claims/${claimId}/documents`,
      {
        body: {
          FileName: 'Notiz.txt',
          ContentType: 'text/plain',
          ContentBase64: Buffer.from(documentText).toString('base64'),
        },
      },
    );
    expect(upload.status, upload.text).toBe(201);
    const claim = `/_backoffice/claims/${claimId}`;
    const { organizationId } = service.credentials.expert;
    await server.backoffice('POST', `${claim}/assign`, { ExpertOrganizationId: organizationId });
    await server.backoffice('POST', `${claim}/accept`, {});

    for (const args of [
      ['connect', '--credentials', service.credentialsPath, '--as', 'expert'],
      ['sync', '--documents', 'all'],
      ['comment', claimId, comment],
      [
        'report',
        claimId,
        '--file',
        writeSample(plain, 'Entwurf-Quitte.pdf', await makePdf(draftText)),
      ],
      ['download', claimId, '--to', plain],
    ]) {
      const run = await runDesk(home, ...args);
      expect(run.code, run.stderr).toBe(0);
    }
    // The desk again, now with the window's shell, so that the shell's files are searched too.
    const desk = await startDesk({ home });
    await desk.stop();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await folder.end();
  });

  it('finds a needle where one is (the search itself works)', () => {
    expect(placesOf(plain, documentText)).toHaveLength(1);
    expect(readTree(home).length).toBeGreaterThan(3);
  });

  it.each([
    ['a name from a payload', partyName],
    ["a document's text", documentText],
    ['a comment that waits', comment],
    ["a draft's text", draftText],
    ["a draft's file name", 'Entwurf-Quitte.pdf'],
  ])('%s', (_, needle) => {
    expect(placesOf(home, needle)).toEqual([]);
  });

  it('the private key', () => {
    const pem = service.credentials.expert.privateKeyPem;
    const lines = pem.split('\n').filter((line) => line.length >= 40 && !line.startsWith('-----'));
    const jwk = createPrivateKey(pem).export({ format: 'jwk' });
    const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
    const needles = ['PRIVATE KEY', ...lines, String(jwk.d), String(jwk.p)];
    for (const needle of needles) expect(placesOf(home, needle)).toEqual([]);
    const core = der.subarray(der.length - 200, der.length - 100);
    expect(readTree(home).filter(({ bytes }) => bytes.includes(core))).toEqual([]);
  });
});
