/**
 * `npm run service`: the service from its bundle, which starts several times as quickly as its
 * sources. A bundle that is missing or older than the sources is made first; where that fails, the
 * sources run as they are. CommonJS, because Node's loader of ES modules takes a thirtieth of the start.
 * `node scripts/service.cjs [options]`
 */
const { enableCompileCache } = require('node:module');
const { dirname, join } = require('node:path');
const { contentDigest, readStamp, timesDigest, writeStamp } = require('./lib/content-stamp.cjs');
const { runBundle } = require('./lib/run-bundle.cjs');
const { serviceSources } = require('./lib/service-sources.cjs');

const root = dirname(__dirname);

const stamp = join(root, 'dist/.service.stamp');
const timesStamp = join(root, 'dist/.service-times.stamp');

/** Reads the sources only where one was touched since they were read the last time. */
function isFresh() {
  const made = readStamp(stamp);
  const times = `${made} ${timesDigest(root, serviceSources)}`;
  if (made !== null && readStamp(timesStamp) === times) return true;
  if (made !== contentDigest(root, serviceSources)) return false;
  writeStamp(timesStamp, times);
  return true;
}

/** In a process of its own: a bundler's memory is not to stay with the service. */
function build() {
  const { spawnSync } = require('node:child_process');
  const script = join(root, 'scripts/build.mjs');
  spawnSync(process.execPath, [script, '--if-stale', 'service'], { stdio: ['ignore', 2, 2] });
}

function isReady() {
  if (isFresh()) return true;
  build();
  return isFresh();
}

if (isReady()) {
  // SQLite's loader asks for a report to learn of the C library; the network is not looked up for it.
  process.report.excludeNetwork = true;
  enableCompileCache(join(root, 'dist/.compile-cache'));
  runBundle(join(root, 'dist/service'), 'server.cjs');
} else {
  process.stderr.write('The service could not be bundled; it runs from its sources.\n');
  void import('../main/service/server.ts');
}
