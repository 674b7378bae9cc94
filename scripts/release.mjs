/**
 * Makes a release on one system: it checks the registry signatures of the packages' dependencies,
 * makes the packages, writes the checksums of all files, and on Linux makes the sources for apt and
 * dnf. `npm run release`
 */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './lib/legal.mjs';
import { makePackageSources } from './lib/package-sources.mjs';
import { runCommand } from './lib/run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = join(root, 'dist/packages');

process.stdout.write(npm(root, ['audit', 'signatures']));
const code = await runCommand(root, join('scripts', 'package.mjs'), process.argv.slice(2));
if (code === 0) {
  await writeChecksums();
  if (process.platform === 'linux') makeSources(process.env.PACKAGE_SIGNING_KEY);
}
process.exitCode = code;

async function writeChecksums() {
  const made = readdirSync(packages, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.(?:exe|msi|dmg|zip|AppImage|deb|rpm|gz|yml)$/.test(entry.name),
    )
    .map(({ name }) => name)
    .sort();
  const lines = [];
  for (const name of made) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(packages, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(packages, `SHA256SUMS-${process.platform}.txt`), lines.join(''));
}

/** @param {string | undefined} signingKey the fingerprint of a key in gpg's keyring */
function makeSources(signingKey) {
  const said = signingKey
    ? makePackageSources({ packages, target: join(root, 'dist/sources'), signingKey })
    : ['No sources for apt and dnf were made: PACKAGE_SIGNING_KEY names no key.'];
  process.stdout.write(`${said.join('\n')}\n`);
}
