/**
 * Makes the application's icons of every system from renderer/public/icon.svg, drawn by Chromium.
 * `node scripts/icons.mjs`; run it when the SVG changes, and commit what it makes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { icns, ico } from './lib/icon-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const build = join(root, 'build');
const svg = readFileSync(join(root, 'renderer/public/icon.svg'), 'utf8');

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
for (const size of [16, 32, 48, 64, 128, 256, 512])
  writeFileSync(join(build, 'icons', `${size}x${size}.png`), pngs.get(size));
writeFileSync(join(build, 'icon.ico'), ico(pngs));
writeFileSync(join(build, 'icon.icns'), icns(pngs));
