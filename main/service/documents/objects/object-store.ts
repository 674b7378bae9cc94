import type { Readable } from 'node:stream';
import { ObjectStorageError, ObjectStorageUnusableError } from './object-storage-error.ts';
import { S3Requests, type S3Request, type S3RequestOptions } from './s3-requests.ts';
import { elementTexts } from './s3-xml.ts';

/**
 * Objects in a bucket, one for each content, under the content's id. An object is written once,
 * and is there as a whole or not at all. Everything throws {ObjectStorageError}.
 */
export interface ObjectStore {
  /** @throws {ObjectStorageUnusableError} where the bucket cannot be used, in words for a person. */
  assertUsable(): Promise<void>;
  put(id: string, bytes: Buffer): Promise<void>;
  /** Begins an object that comes in parts; gives back the upload's id. */
  beginUpload(id: string): Promise<string>;
  /**
   * @param number from 1.
   * @param bytes at least 5 MiB, but for the last part (S3 API, "Multipart upload limits").
   * @returns the part's ETag.
   */
  putPart(id: string, uploadId: string, number: number, bytes: Buffer): Promise<string>;
  /** Puts the object together; `etags` in the order of the parts. */
  completeUpload(id: string, uploadId: string, etags: readonly string[]): Promise<void>;
  /** The bytes from a position on; the caller reads or destroys them. */
  open(id: string, from: number): Promise<Readable>;
  /** Deletes an object and whatever uploads of it are on their way; there may be none of either. */
  remove(id: string): Promise<void>;
  /** Breaks off whatever is under way. */
  close(): void;
}

/** Opens the bucket; nothing is asked of it yet. */
export function openObjectStore(options: S3RequestOptions): ObjectStore {
  const { bucket, prefix, endpoint } = options.location;
  const requests = new S3Requests(options);
  const keyOf = (id: string) => prefix + id;

  async function removeIfThere(request: S3Request): Promise<void> {
    try {
      await requests.send(request);
    } catch (error) {
      if (!(error instanceof ObjectStorageError && error.status === 404)) throw error;
    }
  }

  return {
    async assertUsable() {
      try {
        // Needs the right to list uploads, without which nothing could be swept.
        const query = { uploads: '', prefix, 'max-uploads': '1' };
        await requests.send({ method: 'GET', query });
      } catch (error) {
        throw new ObjectStorageUnusableError(whyUnusable(error, bucket, endpoint), {
          cause: error,
        });
      }
    },

    async put(id, bytes) {
      await requests.send({ method: 'PUT', key: keyOf(id), body: bytes });
    },

    async beginUpload(id) {
      const answer = await requests.send({
        method: 'POST',
        key: keyOf(id),
        query: { uploads: '' },
      });
      const [uploadId] = elementTexts(answer.text, 'UploadId');
      if (uploadId === undefined) throw new ObjectStorageError('POST', 200, 'no UploadId');
      return uploadId;
    },

    async putPart(id, uploadId, number, bytes) {
      const query = { partNumber: String(number), uploadId };
      const answer = await requests.send({ method: 'PUT', key: keyOf(id), query, body: bytes });
      if (answer.headers.etag === undefined) throw new ObjectStorageError('PUT', 200, 'no ETag');
      return answer.headers.etag;
    },

    async completeUpload(id, uploadId, etags) {
      const parts = etags.map(
        (etag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
      );
      const body = Buffer.from(
        `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
      );
      try {
        const query = { uploadId };
        const { text } = await requests.send({ method: 'POST', key: keyOf(id), query, body });
        // The storage answers 200 before it is done, and may fail after that (S3 API,
        // "CompleteMultipartUpload").
        const [code] = elementTexts(text, 'Code');
        if (code !== undefined) throw new ObjectStorageError('POST', 200, code);
      } catch (error) {
        const isGone = error instanceof ObjectStorageError && error.reason === 'NoSuchUpload';
        // Completed already, where only the answer to an earlier attempt was lost.
        if (!isGone) throw error;
        await requests.send({ method: 'HEAD', key: keyOf(id) });
      }
    },

    async open(id, from) {
      const incoming = await requests.open({
        method: 'GET',
        key: keyOf(id),
        ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
      });
      if (from === 0 || incoming.statusCode === 206) return incoming;
      incoming.destroy();
      throw new ObjectStorageError('GET', incoming.statusCode, 'no range');
    },

    async remove(id) {
      const key = keyOf(id);
      const query = { uploads: '', prefix: key };
      const { text } = await requests.send({ method: 'GET', query });
      for (const uploadId of elementTexts(text, 'UploadId')) {
        await removeIfThere({ method: 'DELETE', key, query: { uploadId } });
      }
      await removeIfThere({ method: 'DELETE', key });
    },

    close: () => requests.close(),
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function whyUnusable(error: unknown, bucket: string, endpoint: string): string {
  if (!(error instanceof ObjectStorageError)) return 'no reason given';
  if (error.status === undefined) {
    return `${endpoint} cannot be reached${error.reason === '' ? '' : ` (${error.reason})`}`;
  }
  switch (error.reason) {
    case 'NoSuchBucket':
      return `there is no bucket ${bucket}`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `the keys are refused (${error.reason})`;
    case 'AccessDenied':
      return `the keys give no right to the bucket ${bucket} (AccessDenied)`;
    case 'RequestTimeTooSkewed':
      return "this machine's clock is not the storage's (RequestTimeTooSkewed)";
    default:
      return error.message;
  }
}
