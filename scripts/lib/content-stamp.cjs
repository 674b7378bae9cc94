// CommonJS, as service.cjs is.
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { join, sep } = require('node:path');

/** Each asked for once, and folders not for the kinds of what is in them: every start is here. */
function* filesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    for (const name of readdirSync(path).sort()) yield* filesOf(path + sep + name);
  } else if (stats) yield { path, stats };
}

/**
 * One digest of names and contents beneath some paths. Contents and not times, because a checkout
 * gives every file a new time.
 *
 * @param {string} root
 * @param {readonly string[]} paths files and folders relative to root
 * @returns {string} hex
 */
function contentDigest(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesOf(join(root, path))) {
      hash.update(file.path.slice(root.length)).update('\0');
      hash.update(readFileSync(file.path)).update('\0');
    }
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
function timesDigest(root, paths) {
  let found = '';
  for (const path of paths)
    for (const { path: file, stats } of filesOf(join(root, path)))
      found += `${file.slice(root.length)}\0${stats.size}\0${stats.mtimeMs}\0`;
  return createHash('sha256').update(found).digest('hex');
}

/** The digest that an output was made from, or null. */
function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function writeStamp(file, digest) {
  writeFileSync(file, digest);
}

module.exports = { contentDigest, timesDigest, readStamp, writeStamp };
