import { defineConfig } from '@playwright/test';
import { findElectron } from '#main/start/electron-runtime.ts';
import { chromiumAt } from '../support/processes.ts';
import type { Shell } from './desk-window.ts';

/** The shell without a head takes a fifth less time than the whole browser. */
const chromium = chromiumAt('/usr/bin/chromium-headless-shell', '/usr/bin/chromium');

/** Every test in each shell that can run here. */
const hasElectron = 'path' in findElectron() || process.env['DESK_PACKAGE'] !== undefined;
const shells: readonly Shell[] = hasElectron ? ['browser', 'electron'] : ['browser'];
/** What only the desktop shell has. */
const electronOnly = '**/electron-*.spec.ts';

export default defineConfig<object, { shell: Shell }>({
  projects: shells.map((shell) => ({
    name: shell,
    use: { shell },
    ...(shell === 'browser' && { testIgnore: electronOnly }),
  })),
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/playwright',
  // A file at a time in each; each file has its own desks, homes and services.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'de-CH',
    timezoneId: 'Europe/Zurich',
    launchOptions: { ...chromium, args: [...chromium.args, '--disable-background-networking'] },
    // No traces: recording them made each test take twice as long. `--trace on` records one.
    screenshot: 'only-on-failure',
  },
});
