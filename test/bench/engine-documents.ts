import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, temporaryFolder } from '../support/processes.ts';

// The service in a process of its own, the desk in another (move-documents.ts) that measures itself.
const folder = temporaryFolder();
const dataDir = join(folder.path, 'service');
mkdirSync(dataDir);
const service = await startService({
  dataDir,
  args: ['--demo', '120', '--limits', 'off', '--port', '0'],
});
try {
  const script = join(import.meta.dirname, 'move-documents.ts');
  // Made here, so that the desk's memory is what the desk needs. No PDF, whose text would be read in a
  // thread with memory of its own (decision 18).
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(50 * 1024 * 1024 - 4)]);
  writeFileSync(join(folder.path, 'large.jpg'), jpeg);
  const args = [script, folder.path, service.credentialsPath];
  const desk = spawn(process.execPath, args, { stdio: 'inherit' });
  await once(desk, 'close');
} finally {
  await service.stop();
  folder.remove();
}
