import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bindPdf } from '#main/engine/templates/one-pdf/bind-pdf.ts';
import { smallPdf } from '../../../support/pdf-files.ts';
import { type FormField, formPdf, type FormState, formText } from '../../../support/pdf-forms.ts';

// The finished PDF in readers that share nothing with the programs that made it: poppler and qpdf.

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
const canRead = ['pdftotext', 'pdftoppm', 'qpdf'].every(has);

const folder = mkdtempSync(join(tmpdir(), 'one-pdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = { title: 'G', about: 'S', report: 'Bericht', annexes: 'Beilagen', page: 'Seite' };

/** A report, the list, and a form as the only annex; the form stands alone, too. */
async function boundForm(kind: FormField, state: FormState) {
  const form = await formPdf(kind, state);
  const bound = await bindPdf({
    kind: 'bind',
    report: { title: 'Gutachten.pdf', bytes: Uint8Array.from(smallPdf('Der Bericht')) },
    annexes: [{ title: 'F.pdf', bytes: Uint8Array.from(form) }],
    words,
    photoEdge: null,
  });
  const [alone, finished] = [join(folder, 'form.pdf'), join(folder, 'bound.pdf')];
  writeFileSync(alone, form);
  writeFileSync(finished, bound);
  return { alone, finished };
}

function run(program: string, ...args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 50_000_000 });
  if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
  return stdout;
}

/** The place of the field, in dots of a page that is drawn at 72 to an inch. */
const field = { left: 50, right: 262, top: 55, bottom: 105 };

/** How dark the place of the field is drawn, of 255, without its frame. */
function darknessOf(path: string, page: number): number {
  const args = ['-q', '-gray', '-r', '72', '-f', String(page), '-l', String(page), path];
  const drawn = run('pdftoppm', ...args);
  // "P5", width, height and the greatest value, each behind a blank (PGM).
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(drawn.toString('latin1', 0, 40));
  const [start = '', width = '0'] = head ?? [];
  let sum = 0;
  for (let y = field.top; y < field.bottom; y += 1)
    for (let x = field.left; x < field.right; x += 1)
      sum += 255 - (drawn[start.length + y * Number(width) + x] ?? 0);
  return sum / ((field.bottom - field.top) * (field.right - field.left));
}

const states: readonly FormState[] = [{}, { pictures: 'none' }, { needsPictures: true }];

describe.skipIf(!canRead)('the one PDF in other readers', () => {
  it.each(
    (['text', 'dropdown', 'list'] as const).flatMap((kind) =>
      states.map((state) => [kind, state] as const),
    ),
  )('has the answer of a form (%s, %j), and each page once', async (kind, state) => {
    const { finished } = await boundForm(kind, state);
    expect(run('qpdf', '--show-npages', finished).toString().trim()).toBe('3');
    run('qpdf', '--check', finished);
    const pages = run('pdftotext', '-layout', finished, '-').toString().split('\f').slice(0, -1);
    expect(pages).toHaveLength(3);
    expect(pages[2]).toContain(formText);
    const numbers = pages.map((text) => /\d ?\/ ?\d/.exec(text)?.[0].replaceAll(' ', ''));
    expect(numbers).toEqual(['1/3', '2/3', '3/3']);
  });

  it.each(['check', 'radio'] as const)('shows a %s button as the form alone does', async (kind) => {
    const off = await boundForm(kind, { value: 'off', state: 'off' });
    const empty = [darknessOf(off.alone, 1), darknessOf(off.finished, 3)] as const;
    const chosen = await boundForm(kind, {});
    const marked = [darknessOf(chosen.alone, 1), darknessOf(chosen.finished, 3)] as const;
    expect(empty[1]).toBeCloseTo(empty[0], 1);
    expect(marked[1]).toBeCloseTo(marked[0], 1);
    expect(marked[1]).toBeGreaterThan(empty[1]);
  });
});
