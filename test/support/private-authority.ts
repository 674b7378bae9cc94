import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate authority that no system knows, with the certificates that it signs. */
export interface PrivateAuthority {
  /** The path of the authority's own certificate, PEM. */
  readonly file: string;
  /** Creates a key and a certificate for a server, PEM. */
  sign(host: string): { readonly key: string; readonly cert: string };
}

const openssl = (...args: readonly string[]) =>
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates an authority in a folder. */
export function createAuthority(folder: string): PrivateAuthority {
  const file = join(folder, 'authority.pem');
  const keyFile = join(folder, 'authority.key');
  const name = ['-subj', '/CN=Authority of a test', '-days', '2'];
  const use = ['-addext', 'keyUsage=critical,keyCertSign'];
  openssl('req', '-x509', ...newKey, '-keyout', keyFile, '-out', file, ...name, ...use);
  return {
    file,
    sign(host) {
      const files = { key: join(folder, `${host}.key`), cert: join(folder, `${host}.pem`) };
      const by = ['-CA', file, '-CAkey', keyFile];
      const of = ['-subj', `/CN=${host}`, '-days', '2'];
      const server = ['-addext', 'basicConstraints=CA:FALSE'];
      const names = ['-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`];
      const out = ['-keyout', files.key, '-out', files.cert];
      openssl('req', '-x509', ...by, ...newKey, ...out, ...of, ...server, ...names);
      return { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.cert, 'utf8') };
    },
  };
}
