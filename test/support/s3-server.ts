import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import S3rver from 's3rver';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The bucket, in the form of `--documents`. It is set only if documents under test are in one.
     */
    documentsUrl: string | undefined;
  }
}

const bucket = 'documents-test';

export interface S3ServerForTest {
  /** The address of the bucket, in the form of `--documents`. */
  readonly url: string;
  /** The method and path of every request, including the refused ones. */
  readonly asked: string[];
  /** The server answers 503 to these requests until this value is undefined again. */
  refuse: ((method: string) => boolean) | undefined;
  /** Returns the keys of all stored objects. */
  objects(): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts a foreign S3-compatible storage with one bucket, over real HTTP. */
export async function startS3Server(): Promise<S3ServerForTest> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const storage = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await storage.configureBuckets();
  const serve = storage.callback();
  const server = createServer((request, response) => {
    started.asked.push(`${request.method} ${request.url}`);
    if (started.refuse?.(request.method ?? '') === true) {
      request.resume();
      response.writeHead(503, { 'content-type': 'application/xml' });
      response.end('<Error><Code>SlowDown</Code></Error>');
    } else serve(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast restates the type of the address of a listening server (node:net, "server.address()").
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: S3ServerForTest = {
    url: `s3://${bucket}/desk?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`,
    asked: [],
    refuse: undefined,
    async objects() {
      const files = await readdir(join(directory, bucket), { recursive: true });
      const suffix = '._S3rver_object';
      return files
        .filter((file) => file.endsWith(suffix))
        .map((file) => relative('', file).slice(0, -suffix.length))
        .sort();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
  return started;
}

/** Starts a separate S3-compatible storage for this run of a vitest project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startS3Server();
  project.provide('documentsUrl', server.url);
  return () => server.close();
}
