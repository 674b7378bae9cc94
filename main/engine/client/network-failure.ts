import { DeskError, type DeskErrorCode } from '#shared/desk/errors.ts';

const codes: Readonly<Record<string, DeskErrorCode>> = {
  ENOTFOUND: 'address_unknown',
  EAI_AGAIN: 'address_unknown',
  EAI_NODATA: 'address_unknown',
  EAI_NONAME: 'address_unknown',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'offline',
  EHOSTDOWN: 'offline',
  ENETUNREACH: 'offline',
  ENETDOWN: 'offline',
  EADDRNOTAVAIL: 'offline',
  ETIMEDOUT: 'timeout',
};

/** Codes of OpenSSL's verification and of Node's own name check. */
const certificateCode =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT|ERR_TLS_CERT_)/;

/** The code of a system, TLS or HTTP parser error; of the first one where several were tried. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return '';
}

/**
 * What a broken connection means for a person. The cause is kept for the log; params name the host
 * only.
 */
export function networkFailure(error: unknown, host: string): DeskError {
  if (error instanceof DeskError) return error;
  const code = codeOf(error);
  const known = codes[code];
  if (known) return new DeskError(known, { host }, { cause: error });
  if (certificateCode.test(code)) {
    return new DeskError('certificate_untrusted', { host, reason: code }, { cause: error });
  }
  // Something answers there, but it speaks no TLS or no HTTP.
  if (/^(?:EPROTO|ERR_SSL_)/.test(code)) {
    return new DeskError('captive_portal', { host, found: 'no-tls' }, { cause: error });
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    return new DeskError('captive_portal', { host, found: 'no-http' }, { cause: error });
  }
  return new DeskError('connection_lost', { host }, { cause: error });
}
