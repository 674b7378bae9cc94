/** What IT has set about the partner. */
export interface PolicyConnection {
  readonly baseUrl?: string | undefined;
  readonly audience?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scope?: string | undefined;
  readonly htuWithoutQuery?: boolean | undefined;
}

/** The values that win over those that a person enters. */
export function settledBy(connection: PolicyConnection = {}) {
  const { clientId } = connection;
  return { ...addressOf(connection), ...(clientId !== undefined && { clientId }) };
}

/**
 * The values that win over those of a stored connection. Not the client id: another one is another
 * organization, whose cases must not mix with those that are kept.
 */
export function addressOf({ baseUrl, audience, scope, htuWithoutQuery }: PolicyConnection = {}) {
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(audience !== undefined && { audience }),
    ...(scope !== undefined && { scope }),
    ...(htuWithoutQuery !== undefined && { htuWithoutQuery }),
  };
}
