import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate, Session } from 'electron';
import { afterAll, expect, it, vi } from 'vitest';
import { isIssuedBy, trustAuthorities } from '#main/electron/authorities.ts';
import { createAuthority } from '../../support/private-authority.ts';
import { temporaryFolder } from '../../support/processes.ts';

// The certificates of the tests are real ones, made by OpenSSL.

const { path: folder, remove } = temporaryFolder();
afterAll(remove);
const { path: otherFolder, remove: removeOther } = temporaryFolder();
afterAll(removeOther);

const office = createAuthority(folder);
const hostname = 'updates.example';
const read = (pem: string) => new X509Certificate(pem);
const authorities = [read(readFileSync(office.file, 'utf8'))];
const server = read(office.sign(hostname).cert);

/** Creates another certificate that the file of an authority signs. */
function signed(name: string, by: string, ...more: string[]): X509Certificate {
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const issuer = ['-CA', join(folder, `${by}.pem`), '-CAkey', join(folder, `${by}.key`)];
  execFileSync('openssl', ['req', '-x509', ...issuer, ...key, ...files, ...more], {
    stdio: 'ignore',
  });
  return read(readFileSync(join(folder, `${name}.pem`), 'utf8'));
}
const subject = ['-subj', `/CN=${hostname}`, '-addext', `subjectAltName=DNS:${hostname}`];
const noAuthority = ['-addext', 'basicConstraints=CA:FALSE'];
const between = signed('between', 'authority', '-subj', '/CN=between', '-days', '2');
const behind = signed('behind', 'between', ...subject, ...noAuthority, '-days', '2');
const byServer = signed('by-server', hostname, ...subject, ...noAuthority, '-days', '2');
const forMail = signed(
  'for-mail',
  'authority',
  ...subject,
  ...noAuthority,
  '-addext',
  'extendedKeyUsage=emailProtection',
  '-days',
  '2',
);

const ofOffice = { hostname, authorities };

it('is the office’s if its authority signed it, itself or through another', () => {
  expect(isIssuedBy([server], ofOffice)).toBe(true);
  expect(isIssuedBy([behind, between], ofOffice)).toBe(true);
  expect(isIssuedBy([server], { ...ofOffice, hostname: '127.0.0.1' })).toBe(true);
});

it.each([
  ['for another host', [server], { ...ofOffice, hostname: 'other.example' }],
  ['of an authority that nobody named', [server], { ...ofOffice, authorities: [] }],
  ['without the link between', [behind], ofOffice],
  ['that a server signed, which is no authority', [byServer, server], ofOffice],
  ['for another purpose', [forMail], ofOffice],
  ['that does not exist', [], ofOffice],
])('is not the office’s: one %s', (_which, chain, given) => {
  expect(isIssuedBy(chain, given)).toBe(false);
});

it('is not the office’s if another authority of the same name signed it', () => {
  const stranger = createAuthority(otherFolder).sign(hostname);
  expect(isIssuedBy([read(stranger.cert)], ofOffice)).toBe(false);
});

it('is not the office’s before and after its time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
  try {
    expect(isIssuedBy([server], ofOffice)).toBe(false);
    vi.setSystemTime(Date.now() - 6 * 86_400_000);
    expect(isIssuedBy([server], ofOffice)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it('leaves to Chromium what it trusts, and what it refuses for another reason', () => {
  let check: Parameters<Session['setCertificateVerifyProc']>[0] = null;
  trustAuthorities({ setCertificateVerifyProc: (given) => (check = given) }, authorities);
  const answerTo = (given: X509Certificate | string, errorCode: number) => {
    const answer = vi.fn();
    const certificate = { data: given.toString() } as Certificate;
    check?.(
      {
        hostname,
        certificate,
        validatedCertificate: certificate,
        isIssuedByKnownRoot: false,
        verificationResult: '',
        errorCode,
      },
      answer,
    );
    return answer.mock.calls;
  };
  expect(answerTo(server, 0)).toEqual([[-3]]);
  expect(answerTo(server, -202)).toEqual([[0]]);
  expect(answerTo(forMail, -202)).toEqual([[-3]]);
  // Another name, a time that is over, a revoked certificate, and a weak signature.
  for (const code of [-200, -201, -206, -208]) expect(answerTo(server, code)).toEqual([[-3]]);
  // A certificate that cannot be read.
  expect(answerTo('-----BEGIN CERTIFICATE-----\nx', -202)).toEqual([[-3]]);
});
