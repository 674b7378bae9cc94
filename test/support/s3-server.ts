import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalOf, type S3Keys } from './s3-signature.ts';

export const s3Keys: S3Keys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
export const s3Region = 'eu-test-1';

/** What goes wrong with a request: the answer 503, no answer, half an answer, or a lost one. */
type S3Fault = 'busy' | 'cut' | 'half' | 'lost' | 'late-error';

/** `PUT part`, `GET object` and so on. */
export interface S3ServerForTest {
  readonly endpoint: string;
  /** Where the bucket is, as for --documents. */
  readonly url: string;
  /** What was asked for, refused requests too. */
  readonly asked: string[];
  /** Faults of the next requests of a kind, one after the other. */
  readonly faults: Map<string, S3Fault[]>;
  objects(): Promise<string[]>;
  uploads(): Promise<string[]>;
  close(): Promise<void>;
}

const bucket = 'documents-test';
const minPartBytes = 5 * 1024 * 1024;

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

/** A small S3: one bucket, on the disk, over real HTTP, that checks each signature and hash. */
export async function startS3Server(keys: S3Keys = s3Keys): Promise<S3ServerForTest> {
  const folder = await mkdtemp(join(tmpdir(), 's3-'));
  const objectsDir = join(folder, 'objects');
  const uploadsDir = join(folder, 'uploads');
  await Promise.all([mkdir(objectsDir), mkdir(uploadsDir)]);
  const asked: string[] = [];
  const faults = new Map<string, S3Fault[]>();
  const fileOf = (key: string) => join(objectsDir, encodeURIComponent(key));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, name = '', ...rest] = url.pathname.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    const kind = `${request.method} ${kindOf(url, key)}`;
    asked.push(kind);
    const fault = faults.get(kind)?.shift();
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    const file = join(folder, randomUUID());
    const etag = await receive(request, file);
    try {
      if (fault === 'busy') throw new Refusal(503, 'SlowDown');
      const refused = refusalOf(request, keys, s3Region);
      if (refused !== undefined) throw new Refusal(403, refused);
      if (name !== bucket) throw new Refusal(404, 'NoSuchBucket');
      const act = acts[kind];
      if (!act) throw new Refusal(405, 'MethodNotAllowed');
      const result = await act({ key, query: url.searchParams, request, file, etag });
      if (fault === 'lost') {
        request.socket.destroy();
        return;
      }
      await send(response, result, fault);
    } catch (error) {
      const known = error instanceof Refusal ? error : new Refusal(500, 'InternalError');
      response.writeHead(known.status, { 'content-type': 'application/xml' });
      const body = `<?xml version="1.0"?><Error><Code>${known.message}</Code></Error>`;
      response.end(request.method === 'HEAD' ? undefined : body);
    } finally {
      await rm(file, { force: true });
    }
  }

  interface ActInput {
    readonly key: string;
    readonly query: URLSearchParams;
    readonly request: IncomingMessage;
    /** The body. */
    readonly file: string;
    readonly etag: string;
  }
  interface Result {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly text?: string;
    readonly file?: { readonly path: string; readonly start: number };
  }
  type Act = (input: ActInput) => Promise<Result>;

  const uploadOf = async (query: URLSearchParams) => {
    const path = join(uploadsDir, encodeURIComponent(query.get('uploadId') ?? ''));
    if (!(await exists(path))) throw new Refusal(404, 'NoSuchUpload');
    return path;
  };

  const acts: Record<string, Act> = {
    'GET uploads': async ({ query }) => {
      const prefix = query.get('prefix') ?? '';
      const found: string[] = [];
      for (const id of await readdir(uploadsDir)) {
        const key = await readFile(join(uploadsDir, id, 'key'), 'utf8');
        if (key.startsWith(prefix)) {
          const text = decodeURIComponent(id).replaceAll('&', '&amp;');
          found.push(`<Upload><Key>${key}</Key><UploadId>${text}</UploadId></Upload>`);
        }
      }
      return { text: `<ListMultipartUploadsResult>${found.join('')}</ListMultipartUploadsResult>` };
    },
    'POST uploads': async ({ key }) => {
      // With what must be escaped in a query and in XML.
      const id = `u&${randomUUID()}+/=`;
      await mkdir(join(uploadsDir, encodeURIComponent(id)));
      await appendFile(join(uploadsDir, encodeURIComponent(id), 'key'), key);
      return {
        text: `<InitiateMultipartUploadResult><UploadId>${id.replace('&', '&amp;')}</UploadId></InitiateMultipartUploadResult>`,
      };
    },
    'PUT part': async ({ query, file, etag }) => {
      const upload = await uploadOf(query);
      const number = String(query.get('partNumber'));
      await rename(file, join(upload, `part-${number}`));
      await rm(join(upload, `etag-${number}`), { force: true });
      await appendFile(join(upload, `etag-${number}`), etag);
      return { headers: { etag } };
    },
    'POST upload': async ({ key, query, file }) => {
      const upload = await uploadOf(query);
      const xml = await readFile(file, 'utf8');
      const parts = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)].map(
        ([, number = '', tag = '']) => ({ number, tag: tag.replaceAll('&quot;', '"') }),
      );
      const whole = `${file}-whole`;
      for (const [index, { number, tag }] of parts.entries()) {
        if (Number(number) !== index + 1) throw new Refusal(400, 'InvalidPartOrder');
        const path = join(upload, `part-${number}`);
        if ((await readFile(join(upload, `etag-${number}`), 'utf8')) !== tag) {
          throw new Refusal(400, 'InvalidPart');
        }
        if (index < parts.length - 1 && (await stat(path)).size < minPartBytes) {
          throw new Refusal(400, 'EntityTooSmall');
        }
        await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a' }));
      }
      await rename(whole, fileOf(key));
      await rm(upload, { recursive: true });
      return { text: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' };
    },
    'DELETE upload': async ({ query }) => {
      await rm(await uploadOf(query), { recursive: true });
      return { status: 204 };
    },
    'PUT object': async ({ key, file, etag }) => {
      await rename(file, fileOf(key));
      return { headers: { etag } };
    },
    'GET object': async ({ key, request }) => {
      const path = fileOf(key);
      if (!(await exists(path))) throw new Refusal(404, 'NoSuchKey');
      const start = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
      return {
        status: start === undefined ? 200 : 206,
        file: { path, start: Number(start ?? 0) },
      };
    },
    'HEAD object': async ({ key }) => {
      if (!(await exists(fileOf(key)))) throw new Refusal(404, '');
      return {};
    },
    'DELETE object': async ({ key }) => {
      await rm(fileOf(key), { force: true });
      return { status: 204 };
    },
  };

  async function send(
    response: ServerResponse,
    { status = 200, headers, text = '', file }: Result,
    fault: S3Fault | undefined,
  ): Promise<void> {
    if (!file) {
      response.writeHead(status, headers);
      response.end(fault === 'late-error' ? '<Error><Code>InternalError</Code></Error>' : text);
      return;
    }
    const length = (await stat(file.path)).size - file.start;
    response.writeHead(status, { 'content-length': length });
    const end = fault === 'half' ? file.start + Math.floor(length / 2) : undefined;
    const stream = createReadStream(file.path, {
      start: file.start,
      ...(end !== undefined && { end }),
    });
    // Who reads may go away in the middle.
    await pipeline(stream, response, { end: fault !== 'half' }).catch(() => undefined);
    if (fault === 'half') response.destroy();
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast restates what listening on a port gives (node:net, "server.address()").
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    url: `s3://${bucket}/desk?endpoint=${encodeURIComponent(endpoint)}&region=${s3Region}`,
    asked,
    faults,
    objects: async () => (await readdir(objectsDir)).map(decodeURIComponent),
    uploads: () => readdir(uploadsDir),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function kindOf(url: URL, key: string): string {
  if (url.searchParams.has('uploads')) return 'uploads';
  if (url.searchParams.has('partNumber')) return 'part';
  if (url.searchParams.has('uploadId')) return 'upload';
  return key === '' ? 'bucket' : 'object';
}

/** Keeps a body on the disk, and holds it against the hash that was signed. */
async function receive(request: IncomingMessage, file: string): Promise<string> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sha256.update(chunk);
      md5.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, hashing, createWriteStream(file));
  if (sha256.digest('hex') !== request.headers['x-amz-content-sha256']) {
    throw new Error('XAmzContentSHA256Mismatch');
  }
  return `"${md5.digest('hex')}"`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
