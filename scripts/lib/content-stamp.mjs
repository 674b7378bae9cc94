import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

function* filesOf(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) yield* filesIn(path);
  else yield path;
}

/** Asks nothing of a file beyond what its folder tells: every start of the service is here. */
function* filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = folder + sep + entry.name;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/**
 * One digest of names and contents beneath some paths. Contents and not times, because a checkout
 * gives every file a new time.
 *
 * @param {string} root
 * @param {readonly string[]} paths files and folders relative to root
 * @returns {string} hex
 */
export function contentDigest(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesOf(join(root, path)))
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/**
 * The same of names, sizes and times, several times as quick: where it is as it was, so are the
 * contents; where it is not, they may be all the same.
 *
 * @param {string} root
 * @param {readonly string[]} paths files and folders relative to root
 * @returns {string} hex
 */
export function timesDigest(root, paths) {
  let found = '';
  for (const path of paths)
    for (const file of filesOf(join(root, path))) {
      const { size, mtimeMs } = statSync(file);
      found += `${file.slice(root.length)}\0${size}\0${mtimeMs}\0`;
    }
  return createHash('sha256').update(found).digest('hex');
}

/** The digest that an output was made from, or null. */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

export function writeStamp(file, digest) {
  writeFileSync(file, digest);
}
