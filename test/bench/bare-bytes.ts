/**
 * What documents are held against, in a process of its own: a server that takes any body and
 * forgets it, and gives back as many bytes as its path says. Started by service-documents.ts.
 */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { z } from 'zod';

const piece = Buffer.alloc(64 * 1024, 'A');

function* bytes(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.resume().on('end', () => response.writeHead(201).end());
    return;
  }
  Readable.from(bytes(Number(request.url?.slice(1))), { objectMode: false }).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit());
