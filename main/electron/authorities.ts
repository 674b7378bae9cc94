import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Certificate, Session } from 'electron';

/** Chromium's results of a check of a certificate (docs/api/session.md, setCertificateVerifyProc). */
const isTrusted = 0;
const asChromiumSays = -3;
/** Chromium's error of an authority that it does not know (net_error_list.h, CERT_AUTHORITY_INVALID). */
const unknownAuthority = -202;
/** The longest chain between a server and an authority. */
const linksMax = 8;
/** Extended key usage of a server (RFC 5280, 4.2.1.12). */
const serverAuthentication = '1.3.6.1.5.5.7.3.1';

/**
 * Lets a session trust the authorities of the policy beside the system's. What Chromium trusts
 * stays trusted, and what it refuses for another reason, such as a revoked certificate, refused.
 */
export function trustAuthorities(
  session: Pick<Session, 'setCertificateVerifyProc'>,
  authorities: readonly X509Certificate[],
): void {
  if (authorities.length === 0) return;
  session.setCertificateVerifyProc(({ hostname, certificate, errorCode }, answer) => {
    const isOurs = () => isIssuedBy(chainOf(certificate), { hostname, authorities });
    answer(errorCode === unknownAuthority && orFalse(isOurs) ? isTrusted : asChromiumSays);
  });
}

/** The result of a check; false if it cannot read what a server sent. */
function orFalse(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    // Chromium refuses the certificate then, and names it in the request's error.
    return false;
  }
}

function chainOf(certificate: Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  // Chromium ends the chain with a certificate that names itself, or with none.
  let at: Partial<Certificate> | undefined = certificate;
  while (at?.data !== undefined && chain.length < linksMax) {
    chain.push(new X509Certificate(at.data));
    at = at.issuerCert;
  }
  return chain;
}

/**
 * Whether one of the authorities issued the first certificate of a chain, directly or through the
 * others, for this host and for now. Chromium names an unknown authority before every other fault,
 * so name, times and purpose are checked here.
 */
export function isIssuedBy(
  [server, ...between]: readonly X509Certificate[],
  { hostname, authorities }: { hostname: string; authorities: readonly X509Certificate[] },
): boolean {
  if (!server || !isFor(server, hostname)) return false;
  let at = server;
  for (const next of [...between, null]) {
    if (!isCurrent(at)) return false;
    if (authorities.some((authority) => isCurrent(authority) && issued(authority, at))) return true;
    if (!next || !issued(next, at)) return false;
    at = next;
  }
  return false;
}

function isFor(server: X509Certificate, hostname: string): boolean {
  const isNamed = isIP(hostname) === 0 ? server.checkHost(hostname) : server.checkIP(hostname);
  return isNamed !== undefined && mayServe(server);
}

/** Whether a certificate may be a server's. Without the extension it may serve any purpose. */
const mayServe = ({ keyUsage }: { readonly keyUsage?: readonly string[] }): boolean =>
  keyUsage?.includes(serverAuthentication) ?? true;

const issued = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  const nowMs = Date.now();
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}
