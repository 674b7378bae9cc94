import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { z } from 'zod';
import { StartError } from '../problem.ts';
import type { ObjectLocation } from './object-location.ts';

export interface S3StoreOptions {
  readonly location: ObjectLocation;
  /** The credentials; by default the SDK finds them in the environment, a profile or a role. */
  readonly credentials?: S3ClientConfig['credentials'];
}

/** The least size of a part (S3 API, "Multipart upload limits"). Two parts are in memory. */
const partBytes = 5 * 1024 * 1024;
const connectionTimeoutMs = 5000;
/** The time without any byte after which a connection counts as lost. */
const socketTimeoutMs = 20_000;

/**
 * The objects in a bucket, one for each content, under the content's id. An object is written once
 * and is either complete or missing.
 */
export type ObjectStore = ReturnType<typeof openS3Store>;

/** Opens a bucket without a request to it. */
export function openS3Store({ location, credentials }: S3StoreOptions) {
  const { bucket, prefix, endpoint, region } = location;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: socketTimeoutMs },
    // Some storages support only the checksum in the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(credentials && { credentials }),
  });
  const objectOf = (id: string) => ({ Bucket: bucket, Key: prefix + id });

  const store = {
    /** @throws {StartError} */
    async assertUsable(): Promise<void> {
      // The service needs only the rights to write, read and delete objects.
      const id = `start-check-${randomUUID()}`;
      try {
        await store.put(id, Readable.from([Buffer.from('ok')]));
        (await store.open(id)).destroy();
        await store.remove(id);
      } catch (error) {
        const why = whyUnusable(error, location);
        throw new StartError(`the storage for documents cannot be used: ${why}`, { cause: error });
      }
    },

    /** Writes an object from a stream. If the stream fails, no object remains. */
    async put(id: string, content: Readable): Promise<void> {
      const upload = new Upload({
        client,
        params: { ...objectOf(id), Body: content },
        partSize: partBytes,
        queueSize: 1,
      });
      await upload.done();
    },

    /** Returns the bytes of an object. The caller must read or destroy the stream. */
    async open(id: string): Promise<Readable> {
      const { Body } = await client.send(new GetObjectCommand(objectOf(id)));
      if (!(Body instanceof Readable)) throw new Error('the storage sent no body');
      return Body;
    },

    /** Deletes an object, if it exists. */
    async remove(id: string): Promise<void> {
      await client.send(new DeleteObjectCommand(objectOf(id)));
    },

    close: () => client.destroy(),
  };
  return store;
}

/**
 * The name of an error, or the system's code. The message is left out, because it may contain keys.
 */
const errorSchema = z.object({
  name: z.string().default(''),
  code: z.string().optional(),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional(),
});

function whyUnusable(error: unknown, { bucket, endpoint }: ObjectLocation): string {
  const { name, code, $metadata } = errorSchema.catch({ name: '' }).parse(error);
  const status = $metadata?.httpStatusCode;
  switch (name) {
    case 'NoSuchBucket':
      return `there is no bucket ${bucket}`;
    case 'CredentialsProviderError':
      return 'there are no keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
    case 'InvalidToken':
      return `the keys are refused (${name})`;
    case 'AccessDenied':
      return `the keys give no right to write, read and delete objects in the bucket ${bucket} (AccessDenied)`;
    case 'RequestTimeTooSkewed':
      return "this machine's clock differs from the storage's (RequestTimeTooSkewed)";
    default:
      return status === undefined
        ? `${endpoint} cannot be reached (${code ?? name})`
        : `it answered ${status} (${name})`;
  }
}
