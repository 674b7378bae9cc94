import { beforeEach, describe, expect, it } from 'vitest';
import { appraiserSchema } from '#shared/desk/reports/templates.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const choices = { name: 'Form', language: 'de', category: null } as const;
const signature = { format: 'image/png', base64: 'AAAA' } as const;

let dir: string;
let nowMs: number;
let work: Work;
const open = () => openTestWork({ dir, now: () => (nowMs += 1000) });
beforeEach(() => {
  dir = testFolder();
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = open();
});

const file = (name: string, sha256 = name) => ({
  fileName: `${name}.docx`,
  contentType: 'application/docx',
  sizeBytes: sha256.length,
  sha256,
  blobId: `blob-${sha256}`,
  isSalvageSale: false,
});
const add = (name: string) => work.templates.add(file(name), { ...choices, name }).id;
const missing: unknown = expect.objectContaining({ code: 'template_not_found' });

it('a template is stored with its file and the user’s choices, and listed by its name', () => {
  const own = { name: 'b', language: 'fr', category: 'vehicle' } as const;
  const { id } = work.templates.add(file('b'), own);
  const stored = {
    id,
    ...own,
    fileName: 'b.docx',
    sizeBytes: 1,
    sha256: 'b',
    blobId: 'blob-b',
    addedAt: work.templates.get(id).addedAt,
    version: 1,
  };
  expect(work.templates.get(id)).toEqual(stored);
  for (const name of ['C', 'a']) add(name);
  expect(work.templates.list().map(({ name }) => name)).toEqual(['a', 'b', 'C']);
  work.close();
  work = open();
  expect(work.templates.get(id)).toEqual(stored);
});

it('one that is missing is refused whatever is done with it', () => {
  for (const act of [
    () => work.templates.get('none'),
    () => work.templates.change('none', choices),
    () => work.templates.setFile('none', file('a')),
    () => work.templates.remove('none'),
    () => work.templates.restore('none'),
  ])
    expect(act).toThrow(missing);
});

describe('the file of a template', () => {
  it('has the next version for another content alone, and the earlier ones stay', () => {
    const [id, other] = [add('a'), add('b')];
    const first = work.templates.get(id);
    expect(work.templates.setFile(id, file('a'))).toEqual(first);
    const second = work.templates.setFile(id, file('a', 'second'));
    const own = { sizeBytes: 6, sha256: 'second', blobId: 'blob-second', version: 2 };
    expect(second).toEqual({ ...first, ...own, addedAt: second.addedAt });
    expect(second.addedAt > first.addedAt).toBe(true);
    work.templates.setFile(id, file('a', 'third'));
    const { name: _, language: __, category: ___, ...earliest } = first;
    expect(work.templates.earlier(id)).toMatchObject([{ version: 2, sha256: 'second' }, earliest]);
    expect(work.templates.earlier(other)).toEqual([]);
    expect(work.templates.get(other).version).toBe(1);
  });

  it('is the next version of the template with its name, in any case of its letters', () => {
    const id = add('Form');
    add('Other');
    expect(work.templates.addVersion(file('FORM', 'second'))).toEqual(work.templates.get(id));
    expect(work.templates.get(id)).toMatchObject({ version: 2, fileName: 'Form.docx' });
    expect(work.templates.addVersion(file('New'))).toBeNull();
    expect(work.templates.list()).toHaveLength(2);
  });
});

it('the choices of a template change, and nothing else of it nor of another one', () => {
  const [id, other] = [add('a'), add('b')];
  const before = work.templates.get(id);
  const changed = { name: 'z', language: 'it', category: 'fraud' } as const;
  expect(work.templates.change(id, changed)).toEqual({ ...before, ...changed });
  expect(work.templates.get(other).name).toBe('b');
});

it('a template that was removed comes back with its earlier files, once, and keeps its contents', () => {
  const [id, other] = [add('a'), add('b')];
  work.templates.setFile(id, file('a', 'second'));
  const [stored, earlier] = [work.templates.get(id), work.templates.earlier(id)];
  const kept = ['blob-a', 'blob-b', 'blob-second'];
  expect(work.templates.blobIds().toSorted()).toEqual(kept);
  work.templates.remove(id);
  expect(work.templates.list().map((one) => one.id)).toEqual([other]);
  expect(work.templates.earlier(id)).toEqual([]);
  expect(work.templates.blobIds().toSorted()).toEqual(kept);
  work.templates.restore(id);
  expect([work.templates.get(id), work.templates.earlier(id)]).toEqual([stored, earlier]);
  expect(work.templates.blobIds().toSorted()).toEqual(kept);
  expect(() => work.templates.restore(id)).toThrow(missing);
  work.templates.remove(id);
  work.close();
  work = open();
  expect(() => work.templates.restore(id)).toThrow(missing);
  expect(work.templates.blobIds()).toEqual(['blob-b']);
});

it('the author and the signature of the reports are stored until they are changed', () => {
  const nobody = appraiserSchema.parse({});
  expect([work.templates.appraiser(), work.templates.signature()]).toEqual([nobody, null]);
  const appraiser = { ...nobody, name: 'Anna Muster', phone: '044' };
  work.templates.setAppraiser(appraiser);
  work.templates.setSignature(signature);
  work.close();
  work = open();
  expect([work.templates.appraiser(), work.templates.signature()]).toEqual([appraiser, signature]);
  work.templates.setSignature(null);
  expect([work.templates.appraiser(), work.templates.signature()]).toEqual([appraiser, null]);
});
