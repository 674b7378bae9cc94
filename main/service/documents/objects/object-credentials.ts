import { ObjectStorageUnusableError } from './object-storage-error.ts';

/** What requests to the storage are signed with. */
export interface ObjectCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/**
 * Takes the credentials from where every program for S3 looks for them.
 * @throws {ObjectStorageUnusableError} where they are not there.
 */
export function credentialsFrom(environment: NodeJS.ProcessEnv): ObjectCredentials {
  const accessKeyId = environment['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'] ?? '';
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new ObjectStorageUnusableError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
  }
  // An empty variable is how some shells say that there is none.
  const sessionToken = environment['AWS_SESSION_TOKEN'] ?? '';
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: sessionToken === '' ? undefined : sessionToken,
  };
}
