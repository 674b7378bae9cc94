import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { servePage } from '#main/electron/pages.ts';
import { temporaryFolder } from '../../support/processes.ts';

const folder = temporaryFolder();
const pages = join(folder.path, 'renderer');
mkdirSync(join(pages, 'assets'), { recursive: true });
writeFileSync(join(folder.path, 'secret.txt'), 'secret');
writeFileSync(join(pages, 'index.html'), '<!doctype html>');
writeFileSync(join(pages, 'assets/a.js'), '1');
afterAll(folder.remove);

describe('desk://app', () => {
  it('serves the window under a strict policy', async () => {
    const page = await servePage(pages, 'desk://app/');
    expect(await page.text()).toBe('<!doctype html>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default vue");
    expect(policy).toContain("default-src 'none'");
    const script = await servePage(pages, 'desk://app/assets/a.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    'desk://app/nothing.js',
    'desk://app/assets',
    'desk://app/../secret.txt',
    'desk://app/%2e%2e/secret.txt',
    'desk://app/..%2fsecret.txt',
    'desk://app/%E0%A4%A',
  ])('has nothing at %s', async (address) => {
    expect((await servePage(pages, address)).status).toBe(404);
  });
});
