import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { isLong, patienceMs, smokeOrLong } from '../support/long.ts';
import { chromiumAt } from '../support/processes.ts';
import type { Shell } from './desk-window.ts';
import { ignoredIn, tagsIgnoredIn } from './specs.ts';

/** The headless shell takes a fifth less time than the full browser. */
const chromium = chromiumAt('/usr/bin/chromium-headless-shell', '/usr/bin/chromium');

const shells: readonly Shell[] = ['browser', 'electron'];

export default defineConfig<object, { shell: Shell }>({
  projects: shells.map((shell) => ({
    name: shell,
    use: { shell },
    testIgnore: ignoredIn(shell, isLong),
    grepInvert: tagsIgnoredIn(shell, isLong) ?? [],
  })),
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/playwright',
  // Each worker runs one file at a time, which has its own desks, homes and services. There are
  // more workers than cores, because they wait for the page half of the time.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  timeout: smokeOrLong(600_000, 1_800_000),
  expect: { timeout: patienceMs },
  use: {
    actionTimeout: patienceMs,
    navigationTimeout: patienceMs,
    viewport: { width: 1440, height: 900 },
    locale: 'de-CH',
    timezoneId: 'Europe/Zurich',
    launchOptions: { ...chromium, args: [...chromium.args, '--disable-background-networking'] },
    // Traces are off, because they made each test take twice as long. `--trace on` records one.
    screenshot: 'only-on-failure',
  },
});
