import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { otherCurrency } from '#shared/lib/document-currency.ts';
import { headerExpression } from '#shared/lib/mail-encodings.ts';
import { pumpsOf, type Pump } from '../../support/adversarial-texts.ts';
import { smokeOrLong } from '../../support/long.ts';

/*
 * Every regular expression of the program is measured, because nobody can say of each what text will
 * meet it: one that backtracks makes a text of 200 KB stop the engine. What does not grow with the
 * text in a straight line is mended, or listed here with the bound of its text.
 */
const bounded: Readonly<Record<string, { readonly max: number; readonly because: string }>> = {
  "/(?<![\\p{L}\\d.,'’-])(?:\\d{1,3}(?:([.,'’ \\u00a0\\u202f])\\d{3}(?:\\1\\d{3})*)|\\d+)[.,]\\d{2}(?![\\p{L}\\d'’%]|[.,]\\d| ?%)/gu":
    { max: 400, because: 'a longer line of a document has no total (find-totals.ts)' },
  "/(?<![\\p{L}\\d.,'-])([-−–]\\s?)?(?:(?:CHF|S?Fr\\.?)\\s?)?((?:\\d{1,3}(?:['\\u0020]\\d{3})+|\\d{1,9}))[.,](\\d{2}|[-–]{1,2})(\\s?[-−–])?(?:\\s?(?:CHF|Fr\\.))?$/u":
    { max: 28, because: 'the end of a line, no longer than an amount (page-positions.ts)' },
};

/** Built from texts of ours. A new one needs its reason here. */
const built: Readonly<Record<string, string>> = {
  'main/front/problem.ts': 'one class of characters, 1 to 80 of them',
  'main/gateway/dispatch/dispatch-page.ts': 'a header of 16 KB at most, by the HTTP server',
  'main/service/backoffice/faults.ts': 'what a tester of the service types',
  'shared/lib/document-currency.ts': 'lines of a document; measured',
  'shared/lib/mail-encodings.ts': 'the head of a mail; measured',
  'shared/payload/plausibility.ts': 'digits of a fixed number, from the start of the text',
};
/** Those of them that meet foreign texts of any length; they are measured like the written ones. */
const builtOverForeignTexts: Readonly<Record<string, RegExp>> = {
  'shared/lib/document-currency.ts': otherCurrency,
  'shared/lib/mail-encodings.ts': headerExpression('content-type'),
};

/** The system's own procedure is quadratic in marks; `toNormalForm` leaves out too many of them. */
const normalizing: Readonly<Record<string, string>> = {
  'passphrase-vault.ts': 'the passphrase of the user, which stays as it is',
  'switzerland.ts': 'names of ours',
  'csv.ts': 'one character',
  'docx-package.ts': 'a path, by node:path',
  'verify-parts.ts': 'a path, by node:path',
  'normal-form.ts': 'the place for it',
  'words.ts': 'one character',
};

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

interface Found {
  readonly expressions: Expression[];
  readonly built: Set<string>;
  readonly normalizing: Set<string>;
}

const found = findAll();
for (const [file, { source, flags }] of Object.entries(builtOverForeignTexts))
  found.expressions.push({ file, source, flags });

function findAll(): Found {
  const all: Found = { expressions: [], built: new Set(), normalizing: new Set() };
  for (const file of globSync('{shared,main,renderer}/**/*.{ts,vue}')) {
    const text = readFileSync(file, 'utf8');
    for (const script of file.endsWith('.vue') ? scriptsOf(text) : [text]) {
      const tree = ts.createSourceFile(file, script, ts.ScriptTarget.Latest, true);
      take(tree, file.replaceAll('\\', '/'), all);
    }
  }
  return all;
}

function scriptsOf(component: string): string[] {
  return component
    .split('<script')
    .slice(1)
    .map((part) => part.slice(part.indexOf('>') + 1, part.indexOf('</script>')));
}

function take(node: ts.Node, file: string, all: Found): void {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    const expression = { file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
    all.expressions.push(expression);
  }
  if (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === 'RegExp'
  )
    all.built.add(file);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'normalize')
    all.normalizing.add(basename(file));
  ts.forEachChild(node, (child) => take(child, file, all));
}

const textOf = ({ before, repeated, after }: Pump, length: number): string =>
  before + repeated.repeat(Math.ceil(length / repeated.length)) + after;

/** As the program searches: for all places, or for the first. */
function search(expression: RegExp, text: string): void {
  if (expression.global) text.replaceAll(expression, '');
  else expression.test(text);
}

/** Milliseconds of this thread alone, so that a busy machine changes nothing. */
function cpuMs(act: () => void): number {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const leastOf = (times: number, act: () => void): number =>
  Math.min(...Array.from({ length: times }, () => cpuMs(act)));

/** In a straight line the first length takes a tenth of a millisecond; in a square, from 3 on. */
const suspectMs = 1.5;
/** Below this the clock of the thread says nothing. */
const tellingMs = 30;
const lengths = [4000, 8000, 16_000, 32_000, 64_000, 128_000];
const firstLook = 16_000;

/** By how much more time a search takes at the double length; null if it takes next to none. */
function growthOf(expression: RegExp, pump: Pump): number | null {
  const run = (length: number) => () => search(expression, textOf(pump, length));
  // One that grows faster than the square shows it before it would never end.
  for (const times of [20, 23, 26, 29, 32, 40, 60]) {
    const few = run(times * pump.repeated.length);
    if (isSlow(few, 10) && leastOf(3, few) > 6) return Infinity;
  }
  for (const length of [250, 2000])
    if (isSlow(run(length), 20) && leastOf(2, run(length)) > 20) return Infinity;
  if (!isSlow(run(firstLook), suspectMs)) return null;
  let before: number | null = null;
  for (const length of lengths) {
    const ms = leastOf(2, run(length));
    if (before !== null && ms > tellingMs && ms / before >= 3) return ms / before;
    before = Math.max(1, ms);
  }
  return null;
}

/** By the clock on the wall, which a busy machine makes late: a first look. */
function isSlow(act: () => void, ms: number): boolean {
  const startMs = performance.now();
  act();
  return performance.now() - startMs > ms;
}

/** A text for which the search is not linear; null if none is known. */
function slowTextOf(source: string, flags: string): (Pump & { readonly growth: number }) | null {
  const expression = new RegExp(source, flags);
  for (const pump of pumpsOf(source, flags)) {
    const growth = growthOf(expression, pump);
    if (growth !== null) return { ...pump, growth };
  }
  return null;
}

/** At the length that its texts have at most. */
function slowestMs({ source, flags }: Expression, length: number): number {
  const expression = new RegExp(source, flags);
  const times = pumpsOf(source, flags).map((pump) => {
    const text = textOf(pump, length);
    return leastOf(2, () => search(expression, text));
  });
  return Math.max(...times);
}

const everyExpression = [
  ...new Map(found.expressions.map((one) => [`/${one.source}/${one.flags}`, one])),
];

describe('regular expressions', () => {
  it('take time in a straight line, each of them', () => {
    expect(everyExpression.length).toBeGreaterThan(200);
    const slow = everyExpression
      .filter(([name]) => !(name in bounded))
      .flatMap(([name, { file, source, flags }]) => {
        const text = slowTextOf(source, flags);
        return text === null ? [] : [{ name, file, ...text }];
      });
    expect(slow).toEqual([]);
  });

  it('are listed with the bound of their text if they do not', () => {
    const names = new Map(everyExpression);
    for (const [name, { max }] of Object.entries(bounded)) {
      const expression = names.get(name);
      if (!expression) throw new Error(`${name} is gone`);
      expect(slowestMs(expression, max)).toBeLessThan(25);
    }
  });

  it('are built in known places only', () => {
    expect([...found.built].sort()).toEqual(Object.keys(built).sort());
    const measured = Object.keys(built).filter((file) => built[file]?.endsWith('; measured'));
    expect(measured).toEqual(Object.keys(builtOverForeignTexts));
  });

  // A second, independent tool (recheck) judged these to be slow; most were in this program.
  it.each([
    // Those that grow slowest are measured for seconds.
    ...smokeOrLong(
      [],
      [
        String.raw`\/+$`,
        String.raw`^(\d+)(.*)$`,
        String.raw`(\(|at )[^()]*?([^\\\/()]+[\\\/][^\\\/()]+)(?=\)?$)`,
      ],
    ),
    String.raw`(\p{L}{2,})[-\u2010\u00ad]\s+(\p{Ll}\p{L}+)`,
    String.raw`-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----`,
    String.raw`<(?:[\w.-]+:)?Relationship\b[^>]*TargetMode\s*=\s*["']External["'][^>]*>`,
    String.raw`<[\w.-]+:instrText[^>]*>([^<]*)<`,
    String.raw`^ {4}(.+?) {4}REG_\w+ {4}(.*)$`,
    String.raw`(a+)+$`,
    String.raw`^(?:a|a)*b`,
  ])('are found slow if they are: %s', (source) => {
    const flags = source.includes('\\p{') ? 'gu' : 'g';
    expect(slowTextOf(source, flags)).not.toBeNull();
  });
});

describe('normal forms of Unicode', () => {
  it('are made in one place, or of texts with a bound', () => {
    expect([...found.normalizing].sort()).toEqual(Object.keys(normalizing).sort());
  });
});
