import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The digests that the page gets, so that no other server can give it code later. */
export interface PageIntegrity {
  /** An import map with the digest of every script that the page does not load immediately. */
  readonly map: string;
  /** The source in the content security policy that allows this import map. */
  readonly source: string;
}

/**
 * Reads the digests of the window's scripts from the disk. The scripts that the page itself names
 * are included, because browsers preload them and reject a preload whose digest differs.
 */
export async function readIntegrity(pagesDir: string): Promise<PageIntegrity> {
  const html = await readFile(join(pagesDir, 'index.html'), 'utf8');
  const names = await readdir(pagesDir, { recursive: true });
  const scripts = names
    .filter((name) => name.endsWith('.js'))
    .map((name) => relative('.', name).split(sep).join('/'))
    .filter((name) => !html.includes(`./${name}"`))
    .toSorted();
  const integrity = Object.fromEntries(
    await Promise.all(
      scripts.map(async (name) => [`/${name}`, await digestOf(join(pagesDir, name))] as const),
    ),
  );
  const map = JSON.stringify({ integrity });
  return { map, source: `'sha256-${createHash('sha256').update(map).digest('base64')}'` };
}

/** The page with the import map before every script, where an import map must be. */
export function pageWithIntegrity(html: string, { map }: PageIntegrity): string {
  return html.replace('<head>', `<head><script type="importmap">${map}</script>`);
}

async function digestOf(path: string): Promise<string> {
  return `sha384-${createHash('sha384')
    .update(await readFile(path))
    .digest('base64')}`;
}
