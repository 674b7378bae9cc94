import type { JWK } from 'jose';

/** An organization as a client of the token endpoint. */
export interface Client {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  /** People in the organization. */
  readonly members: number;
  /** Public RSA keys, the newest first; none locks the client out. */
  readonly keys: readonly { readonly kid: string; readonly jwk: JWK }[];
}
