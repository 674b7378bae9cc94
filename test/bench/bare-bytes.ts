/**
 * What documents are held against, in a process of its own: bytes sent raw. `/forgotten` takes any
 * body and forgets it, and makes as many bytes as it is asked for out of nothing; `/kept` keeps
 * the body in a file, synced to the disk before it answers, and gives it back as it came. Started
 * by service-documents.ts with a folder and the number of bytes.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const [directory, count] = z.tuple([z.string(), z.coerce.number()]).parse(process.argv.slice(2));
const file = join(directory, 'bytes');
const piece = Buffer.alloc(64 * 1024, 'A');

function* bytes(): Generator<Buffer> {
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

const server = createServer((request, response) => {
  const isKept = request.url === '/kept';
  const done = () => response.writeHead(201).end();
  if (request.method === 'POST' && !isKept) {
    request.resume().on('end', done);
    return;
  }
  const source = () =>
    isKept ? createReadStream(file) : Readable.from(bytes(), { objectMode: false });
  const passed =
    request.method === 'POST'
      ? pipeline(request, createWriteStream(file, { flush: true })).then(done)
      : pipeline(source(), response);
  passed.catch((error: unknown) => {
    response.destroy(error instanceof Error ? error : undefined);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit());
