/**
 * What documents are held against, in a process of its own: a server that keeps the body it is
 * sent in a file, synced to the disk before it answers, and gives it back as it came. Started by
 * service-documents.ts with a folder.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const [directory] = z.tuple([z.string()]).parse(process.argv.slice(2));
const file = join(directory, 'bytes');

const server = createServer((request, response) => {
  const passed =
    request.method === 'POST'
      ? pipeline(request, createWriteStream(file, { flush: true })).then(() =>
          response.writeHead(201).end(),
        )
      : pipeline(createReadStream(file), response);
  passed.catch((error: unknown) => {
    response.destroy(error instanceof Error ? error : undefined);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit());
