import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const marker = 'first-start-unfinished';

/**
 * Makes the first start of a data folder all or nothing. A service that dies while it fills a new
 * store has never answered anyone, so the next start throws the half away and begins again.
 */
export async function beginFirstStart(directory: string): Promise<{ finish(): Promise<void> }> {
  const markerFile = join(directory, marker);
  const isHalf = await exists(markerFile);
  if (isHalf) {
    const files = await readdir(directory);
    const half = files.filter((file) => /^(?:service|replay)\.db/.test(file));
    await Promise.all(half.map((file) => rm(join(directory, file))));
  }
  if (!isHalf && (await exists(join(directory, 'service.db')))) {
    return { finish: () => Promise.resolve() };
  }
  await writeFile(markerFile, '', { mode: 0o600 });
  return { finish: () => rm(markerFile, { force: true }) };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
