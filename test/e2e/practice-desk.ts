import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { temporaryFolder } from '../support/processes.ts';
import { type DeskWindow, test } from './desk-window.ts';

/** Where the tests of a file find the window that is opened for all of them. */
export interface PracticeDesk {
  /** The window; there from the first test on. */
  window(): DeskWindow;
  /** Its page. */
  page(): Page;
  /** A folder for files of the tests; removed after the last one. */
  readonly folderPath: string;
  readonly homePath: string;
}

/**
 * Opens a window in German over a new practice workspace before the first test of a file, holds
 * its console to silence after each, and takes everything away after the last.
 *
 * @param locale of the system, as a language tag
 */
export function openPracticeDesk(locale?: string): PracticeDesk {
  const folder = temporaryFolder();
  const homePath = join(folder.path, 'home');
  let desk: DeskWindow | undefined;

  test.beforeAll(async ({ openDesk }) => {
    desk = await openDesk({
      home: homePath,
      args: ['--lang', 'de'],
      ...(locale !== undefined && { locale }),
    });
    await desk.page.getByText('60 Fälle auf diesem Laptop').waitFor({ timeout: 60_000 });
  });
  test.afterEach(() => {
    expect(desk?.errors()).toEqual([]);
  });
  test.afterAll(async () => {
    await desk?.stop();
    folder.remove();
  });
  const window = () => {
    if (!desk) throw new Error('the window is not opened yet');
    return desk;
  };
  return {
    window,
    page: () => window().page,
    folderPath: folder.path,
    homePath,
  };
}
