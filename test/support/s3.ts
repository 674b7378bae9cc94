import type { TestProject } from 'vitest/node';
import { startS3Server } from './s3-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A bucket, as for --documents; only if documents under test are in one. */
    documentsUrl: string | undefined;
  }
}

/** An S3-compatible storage of this run's own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startS3Server();
  project.provide('documentsUrl', server.url);
  return () => server.close();
}
