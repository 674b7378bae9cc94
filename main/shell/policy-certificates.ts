import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';

type Fault = 'unreadable' | 'no_certificate' | 'broken_certificate';

const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];

/**
 * The certificate authorities that a policy adds: each certificate of each PEM file.
 * @throws {DeskError} policy_invalid with the files that cannot be used, and why
 */
export function policyCertificates({ certificateFiles = [] }: DeskPolicy): X509Certificate[] {
  const found: X509Certificate[] = [];
  const faults: { readonly fileName: string; readonly fault: Fault }[] = [];
  for (const fileName of certificateFiles) {
    const read = readCertificates(fileName);
    if (typeof read === 'string') faults.push({ fileName, fault: read });
    else found.push(...read);
  }
  if (faults.length === 0) return found;
  throw new DeskError('policy_invalid', {
    fileName: faults.map(({ fileName }) => fileName).join(', '),
    place: 'certificateFiles',
    detail: faults.map(({ fault }) => fault).join('; '),
  });
}

function readCertificates(fileName: string): X509Certificate[] | Fault {
  let text: string;
  try {
    assertNotSpecial(fileName);
    text = readFileSync(fileName, 'utf8');
  } catch {
    return 'unreadable';
  }
  const [, ...parts] = text.split(begin);
  if (parts.length === 0) return 'no_certificate';
  try {
    return parts.map((part) => new X509Certificate(begin + part.slice(0, endOf(part))));
  } catch {
    return 'broken_certificate';
  }
}

/** The end of a certificate. What is after it in the file is a note. */
function endOf(part: string): number {
  const at = part.indexOf(end);
  return at < 0 ? part.length : at + end.length;
}
