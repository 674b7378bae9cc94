/** The storage refused a request, or did not answer, as often as it was asked. */
export class ObjectStorageError extends Error {
  readonly code = 'object_storage_failed';
  /** Undefined where there was no answer. */
  readonly status: number | undefined;
  /** The storage's own word, such as NoSuchBucket; or the system's, such as ECONNREFUSED. */
  readonly reason: string;

  /** @param reason one word; never what the storage says beside it, which can hold keys. */
  constructor(method: string, status: number | undefined, reason: string) {
    const what = status === undefined ? 'did not answer' : `answered ${status}`;
    super(`the object storage ${what}${reason === '' ? '' : ` (${reason})`} to ${method}`);
    this.name = 'ObjectStorageError';
    this.status = status;
    this.reason = reason;
  }
}

/** The service cannot start with its documents where it was told that they are. */
export class ObjectStorageUnusableError extends Error {
  readonly code = 'object_storage_unusable';

  constructor(why: string, options?: ErrorOptions) {
    super(`the storage for documents cannot be used: ${why}`, options);
    this.name = 'ObjectStorageUnusableError';
  }
}
