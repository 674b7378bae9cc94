const { createHash } = require('node:crypto');
const { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** By then everything that a start needs has run; and a call for help or a refused start is over. */
const keepAfterMs = 1000;
const digestBytes = 32;

const head = '(function (exports, require, module, __filename, __dirname) {';

/**
 * Runs a bundle of CommonJS files with the code that V8 made of them at an earlier start, which is
 * kept beside each. Node's compile cache is made before a file's first function has run, so that
 * each start would compile most of them anew (docs/decisions, "The service starts from a bundle").
 *
 * @param {string} folder with ASCII files that require each other as `./NAME`
 * @param {string} entry the name of the first
 * @returns {object} what the first exports
 */
function runBundle(folder, entry) {
  const outside = createRequire(join(folder, entry));
  const modules = new Map();

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const filename = join(folder, name);
      const run = compile(filename).runInThisContext();
      const inside = (id) => (id.startsWith('./') ? load(id.slice(2)) : outside(id));
      run(module.exports, inside, module, filename, folder);
    } catch (error) {
      // The next who asks for it tries again.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  return load(entry);
}

function compile(filename) {
  const text = readFileSync(filename);
  const codeFile = `${filename}.code`;
  const script = new Script(`${head}${text.toString('latin1')}\n})`, {
    filename,
    columnOffset: -head.length,
    cachedData: keptCode(codeFile, text),
  });
  // Also where another version of V8 made it, which this one says.
  if (script.cachedDataRejected !== false)
    setTimeout(keep, keepAfterMs, codeFile, text, script).unref();
  return script;
}

/** Undefined where there is none. V8 would take half of one, and one of another text as long. */
function keptCode(codeFile, text) {
  try {
    const kept = readFileSync(codeFile);
    const code = kept.subarray(digestBytes);
    return digestOf(text, code).equals(kept.subarray(0, digestBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Where it cannot be written, the next start compiles again. */
function keep(codeFile, text, script) {
  const fresh = `${codeFile}.${process.pid}`;
  const code = script.createCachedData();
  try {
    writeFileSync(fresh, Buffer.concat([digestOf(text, code), code]));
    // The service makes files for its user alone; another one starts it as quickly.
    chmodSync(fresh, 0o644);
    renameSync(fresh, codeFile);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function digestOf(text, code) {
  return createHash('sha256').update(text).update(code).digest();
}

module.exports = { runBundle };
