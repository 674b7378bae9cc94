import type { FaultLog } from '#main/log/faults.ts';
import { answerFileRequest } from '#main/bridge/files.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { ByteLine } from './byte-line.ts';

/** Answers one file request in the engine's process. */
export async function serveFile(engine: Engine, line: ByteLine, log: FaultLog): Promise<void> {
  const { method, path, headers } = await line.request;
  const answer = await answerFileRequest(
    engine,
    { method, path, header: (name) => headers[name] ?? null, content: line.incoming },
    log,
  );
  line.send({ type: 'head', status: answer.status, headers: answer.headers });
  const { body } = answer;
  await line.sendBytes(typeof body === 'string' ? textBytes(body) : (body ?? textBytes('')));
}

// eslint-disable-next-line @typescript-eslint/require-await -- an async source like every other
async function* textBytes(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}
