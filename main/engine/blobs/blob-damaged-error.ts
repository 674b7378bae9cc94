/** A stored file that is missing, cut short or changed. Names the file by its id only. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly code = 'blob_damaged';
  readonly blobId: string;

  constructor(blobId: string, reason: 'missing' | 'changed' | 'range', options?: ErrorOptions) {
    super(`blob ${reason}`, options);
    this.blobId = blobId;
  }
}
