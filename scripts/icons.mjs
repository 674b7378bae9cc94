/**
 * Makes the application's icons for every system from renderer/public/icon.svg, which Chromium
 * draws. `node scripts/icons.mjs` must be run when the SVG changes, and its output is committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = join(root, 'build');
const svg = readFileSync(join(root, 'renderer/public/icon.svg'), 'utf8');

/** The sizes of a Windows icon. Larger ones are never shown. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];

/**
 * The types of the pictures in an Apple icon by their size in pixels. The @2x types repeat a size.
 */
const icnsTypes = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

const browser = await chromium.launch({
  ...(process.platform === 'linux'
    ? { executablePath: '/usr/bin/chromium' }
    : { channel: 'chrome' }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
const pngs = new Map();
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  pngs.set(size, await page.screenshot({ omitBackground: true }));
}
await browser.close();

mkdirSync(join(build, 'icons'), { recursive: true });
// Linux' icon themes require at least the first size. A desktop makes the other sizes from the
// second.
for (const size of [48, 512])
  writeFileSync(join(build, 'icons', `${size}x${size}.png`), pngs.get(size));
writeFileSync(join(build, 'icon.ico'), ico(pngs));
writeFileSync(join(build, 'icon.icns'), icns(pngs));

/**
 * Makes a Windows icon whose pictures are PNG files (since Vista).
 *
 * @param {ReadonlyMap<number, Buffer>} pngs the pictures by size
 * @returns {Buffer}
 */
function ico(pngs) {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(icoSizes.length, 4);
  let offset = 6 + 16 * icoSizes.length;
  const entries = icoSizes.map((size) => {
    const png = pngs.get(size);
    const entry = Buffer.alloc(16);
    // The size 256 is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...icoSizes.map((size) => pngs.get(size))]);
}

/**
 * Makes an Apple icon.
 *
 * @param {ReadonlyMap<number, Buffer>} pngs the pictures by size
 * @returns {Buffer}
 */
function icns(pngs) {
  const parts = icnsTypes.map(([type, size]) => block(type, pngs.get(size)));
  return block('icns', Buffer.concat(parts));
}

function block(type, content) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}
