import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '#shared/i18n/language.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';

/** The page of the telephone with the headers that it is served with. */
export interface TelephonePage {
  readonly html: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** JSON in a page ends no element. */
const inPage = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * The one page that a telephone gets. Script, style and texts are inside it, so the listener has no
 * other file. It contains nothing of a case.
 * @param folder with the built `telephone.js` and `telephone.css`
 */
export async function telephonePage(
  folder: string,
  language: Language,
  texts: WindowTexts['telephone']['page'],
): Promise<TelephonePage> {
  const [script, style] = await Promise.all(
    ['telephone.js', 'telephone.css'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  if (script === undefined || style === undefined) throw new Error('the page is not built');
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">',
    `<title>Appraiser Desk</title><style>${style}</style></head><body>`,
    `<script type="application/json" id="texts">${inPage(texts)}</script>`,
    `<script>${script}</script></body></html>`,
  ].join('');
  return {
    html: Buffer.from(html),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        'img-src blob: data:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ].join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    },
  };
}
