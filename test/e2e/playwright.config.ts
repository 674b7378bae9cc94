import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { findElectron } from '#main/start/electron-runtime.ts';
import type { Shell } from './desk-window.ts';

/** Debian's Chromium if it is there, else a browser that Playwright finds (`CHROMIUM` names one). */
const executablePath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
);
const isRoot = process.getuid?.() === 0;

/** Every test in each shell that can run here. */
const hasElectron = 'path' in findElectron() || process.env['DESK_PACKAGE'] !== undefined;
const shells: readonly Shell[] = hasElectron ? ['browser', 'electron'] : ['browser'];

export default defineConfig<object, { shell: Shell }>({
  projects: shells.map((shell) => ({ name: shell, use: { shell } })),
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/playwright',
  // A file at a time in each; every file has desks, homes and services of its own.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  use: {
    ...(executablePath === undefined ? { channel: 'chrome' } : {}),
    viewport: { width: 1440, height: 900 },
    locale: 'de-CH',
    timezoneId: 'Europe/Zurich',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Root has no sandbox in Chromium; everyone else keeps it.
      args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-background-networking'],
    },
    // No traces: recording them made each test take twice as long. `--trace on` records one.
    screenshot: 'only-on-failure',
  },
});
