import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../support/processes.ts';

/**
 * Pictures go to test-results/pictures; DESK_PICTURES names another folder, so that
 * `DESK_PICTURES=docs/images npm test` takes those of the documentation anew.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  const dir = join(root, process.env['DESK_PICTURES'] ?? 'test-results/pictures');
  mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: join(dir, `${name}.png`), animations: 'disabled' });
}

/** Collects what the page complains about; a quiet console is part of every story. */
export function watchForErrors(page: Page): () => string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return () => errors;
}
