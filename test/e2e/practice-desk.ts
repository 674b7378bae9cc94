import { join } from 'node:path';
import { type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { type RunningDesk, startDesk, temporaryFolder } from '../support/processes.ts';
import { openWindow, watchForErrors } from './page.ts';

/** Where the tests of a file find the window that is opened for all of them. */
export interface PracticeDesk {
  /** The window; there from the first test on. */
  page(): Page;
  /** A folder for files of the tests; removed after the last one. */
  readonly folderPath: string;
}

/**
 * Opens a window in German over a new practice workspace before the first test of a file, holds
 * its console to silence after each, and takes everything away after the last.
 */
export function openPracticeDesk(context: BrowserContextOptions = {}): PracticeDesk {
  const folder = temporaryFolder();
  let desk: RunningDesk | undefined;
  let page: Page | undefined;
  let errors: () => string[] = () => [];

  test.beforeAll(async ({ browser }) => {
    desk = await startDesk({ home: join(folder.path, 'home'), args: ['--lang', 'de'] });
    page = await (await browser.newContext(context)).newPage();
    page.setDefaultTimeout(20_000);
    errors = watchForErrors(page);
    await openWindow(page, desk.url);
    await page.getByText('60 Fälle auf diesem Laptop').waitFor({ timeout: 60_000 });
  });
  test.afterEach(() => {
    expect(errors()).toEqual([]);
  });
  test.afterAll(async () => {
    await page?.close();
    await desk?.stop();
    folder.remove();
  });
  return {
    page() {
      if (!page) throw new Error('the window is not opened yet');
      return page;
    },
    folderPath: folder.path,
  };
}
