import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planDevices, readNames, writeDevice } from '#main/gateway/auth/enrol-many.ts';
import { temporaryFolder } from '../../../support/processes.ts';

/* The connection files of many devices: each has one, and none replaces another. */

let folder: ReturnType<typeof temporaryFolder>;
let names: string;
let target: string;

beforeEach(() => {
  folder = temporaryFolder();
  names = join(folder.path, 'names.txt');
  target = join(folder.path, 'new', 'handed-out');
});
afterEach(() => folder.remove());

function plan(text: string) {
  writeFileSync(names, text);
  return planDevices(names, target);
}
const usage = (message: string): unknown => expect.objectContaining({ message, exitCode: 2 });

test('names: lines of any system, without blanks around them', () => {
  expect(readNames('\uFEFF A \r\n\r\nB\rC\n  \n')).toEqual(['A', 'B', 'C']);
  expect(readNames('A\uFEFFB')).toEqual(['A\uFEFFB']);
});

test('names: one is the same however its accents are written', () => {
  const decomposed = 'Büro 1'.normalize('NFD');
  expect(plan(decomposed)).toEqual([{ name: 'Büro 1', file: join(target, 'Büro-1.json') }]);
  expect(() => readNames(`Büro 1\n${decomposed}`)).toThrow(
    usage('line 2: the name is that of line 1'),
  );
});

test('names: the longest, and the most', () => {
  const longest = 'x'.repeat(200);
  expect(readNames(` ${longest} `)).toEqual([longest]);
  const most = Array.from({ length: 1000 }, (_, index) => `L${String(index)}`);
  expect(readNames(most.join('\n'))).toEqual(most);
  expect(() => readNames(`\n${longest}x`)).toThrow(
    usage('line 2: the name has over 200 characters'),
  );
  expect(() => readNames([...most, 'one'].join('\n'))).toThrow(
    usage('the file has over 1000 names; split it'),
  );
  expect(() => readNames('A\n\nA')).toThrow(usage('line 3: the name is that of line 1'));
  expect(() => readNames('\n')).toThrow(usage('the file has no names'));
});

test('files: each device has its own, also where capitals count for nothing', () => {
  const files = plan('Büro/1\nBÜRO 1\nbüro.1\nBüro-1-2\nx_y\n../../etc').map(({ file }) => file);
  const expected = ['Büro-1', 'BÜRO-1-2', 'büro-1-3', 'Büro-1-2-2', 'x_y', '-etc'];
  expect(files).toEqual(expected.map((name) => join(target, `${name}.json`)));
  expect(statSync(target).mode & 0o777).toBe(0o700);
});

test('files: a long name is cut, and still told apart', () => {
  const long = 'x'.repeat(100);
  const files = plan(`${long}1\n${long}2`).map(({ file }) => file);
  expect(files).toEqual(['', '-2'].map((end) => join(target, `${'x'.repeat(80)}${end}.json`)));
});

test('files: one that is there already refuses all, before a code is made', () => {
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'B.json'), 'the code of another');
  expect(() => plan('A\nB')).toThrow(
    usage(`${join(target, 'B.json')} is there already; choose an empty folder`),
  );
  const device = { name: 'B', file: join(target, 'B.json') };
  expect(() => writeDevice(device, { code: 'C', gateway: undefined })).toThrow('EEXIST');
  expect(readFileSync(device.file, 'utf8')).toBe('the code of another');
});

test('files: what cannot be read or made is named', () => {
  expect(() => planDevices(names, target)).toThrow(usage(`${names} cannot be read`));
  writeFileSync(join(folder.path, 'new'), 'a file');
  expect(() => plan('A')).toThrow(usage(`the folder ${target} cannot be made`));
});

test('files: only the owner reads one, and it has an address if there is one', () => {
  const [first, second] = plan('A\nB');
  const written = (device: typeof first, gateway?: string): unknown => {
    if (device) writeDevice(device, { code: 'C-1', gateway });
    return JSON.parse(readFileSync(device?.file ?? '', 'utf8'));
  };
  expect(written(first, 'https://g.example')).toEqual({
    gateway: 'https://g.example',
    code: 'C-1',
    name: 'A',
  });
  expect(written(second)).toEqual({ code: 'C-1', name: 'B' });
  expect(statSync(first?.file ?? '').mode & 0o777).toBe(0o600);
});
