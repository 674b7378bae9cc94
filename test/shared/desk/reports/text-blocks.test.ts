import { expect, it } from 'vitest';
import {
  addedByFile,
  checklistOf,
  codeOf,
  entriesOf,
  fillBlock,
  readTextsFile,
  replaceCodes,
  type Texts,
  writeTextsFile,
} from '#shared/desk/reports/text-blocks.ts';

const values = {
  key: 'S-1',
  policy: '',
  party: 'Anna $& Muster',
  vehicle: 'VW Golf',
  plate: 'ZH 1',
  place: 'Zürich',
  insurer: 'Helvia',
  inspection: '09.03.2026',
  date: '10.03.2026',
};

it('fills in the fields of the case, shows a gap, and fills nothing that a field brought', () => {
  expect(fillBlock('{key}, {policy}: {party} {constructor}', values)).toBe(
    'S-1, ___: Anna $& Muster {constructor}',
  );
  expect(fillBlock('{party}', { ...values, party: '{key}' })).toBe('{key}');
});

it('replaces a code that a blank ends, by any case of its letters, and nothing else', () => {
  const blocks = [
    { name: 'Stone chip', text: 'Stone chip on {part} $&' },
    { name: 'twice', text: 'one' },
    { name: 'Twice', text: 'two' },
  ];
  expect(codeOf('Stone chip')).toBe('/stonechip');
  const typed = (text: string) => replaceCodes(text, blocks, false);
  expect(typed('/stonechip left, /StoneChip\nright')).toBe(
    'Stone chip on {part} $& left, Stone chip on {part} $&\nright',
  );
  for (const text of ['/stonechip', 'and/stonechip ', '/stonechips ', '/twice ', '/ ', '/none '])
    expect(typed(text)).toBe(text);
  expect(replaceCodes('see /stonechip', blocks, true)).toBe('see Stone chip on {part} $&');
});

const here: Texts = {
  blocks: [{ id: 'x', name: 'Visit', text: 'Seen on {inspection}.' }],
  checklists: { vehicle: [{ id: 'vin', text: 'Chassis number' }] },
};

const of = (id: string) => ({ newId: () => id, say: (name: string) => `${name}!` });

it('a file adds what is new, twice nothing, and keeps what is here', () => {
  const theirs = writeTextsFile({
    blocks: [...here.blocks, { id: 'y', name: 'Visit', text: 'Another text' }],
    checklists: { vehicle: entriesOf(['Mileage', 'Chassis number'], []) },
  });
  const added = addedByFile(here, readTextsFile('t.json', `\uFEFF${theirs}`), of('new'));
  expect(added).toEqual({
    blocks: [{ id: 'new', name: 'Visit', text: 'Another text' }],
    checklists: {
      vehicle: [
        { id: 'vin', text: 'Chassis number' },
        { id: 'Mileage', text: 'Mileage' },
      ],
    },
  });
  const after = { blocks: [...here.blocks, ...added.blocks], checklists: added.checklists };
  expect(addedByFile(after, readTextsFile('t.json', theirs), of('again'))).toEqual({
    blocks: [],
    checklists: {},
  });
});

it('a file keeps the list that the desk came with, and the ids of its entries', () => {
  const { say } = of('');
  const file = { blocks: [], checklists: { special: entriesOf(['hours!', 'Sieve'], []) } };
  const read = readTextsFile('t.json', writeTextsFile(file));
  const { checklists } = addedByFile(here, read, of('new'));
  const before = checklistOf(here, 'special', say);
  expect(before).toContainEqual({ id: 'hours', text: 'hours!' });
  expect(checklists).toEqual({ special: [...before, { id: 'Sieve', text: 'Sieve' }] });
  expect(checklistOf({ checklists }, 'special', say)).toEqual(checklists.special);
  expect(checklistOf(here, 'toString', say)).toEqual([]);
});

const file = (content: object) =>
  JSON.stringify({ kind: 'appraiser-desk-texts', version: 1, ...content });

it.each([
  ['no JSON', '{', { code: 'texts_file_invalid', params: { fileName: 't.json' } }],
  ['another file', '{"textBlocks": []}', { code: 'texts_file_invalid' }],
  ['a list that is none', file({ textBlocks: 'x' }), { code: 'texts_file_invalid' }],
  [
    'an entry without a text',
    file({ textBlocks: [{ name: 'A', text: 'a' }, { name: 'B' }] }),
    {
      code: 'texts_entry_invalid',
      params: { entry: 'textBlocks › 2 › text', rule: 'invalid_type' },
    },
  ],
  [
    'an empty entry of a checklist',
    file({ checklists: { fraud: ['a', ' '] } }),
    {
      code: 'texts_entry_invalid',
      params: { entry: 'checklists › fraud › 2', rule: 'too_small' },
    },
  ],
  [
    'a field that no case has',
    file({ textBlocks: [{ name: 'A', text: 'a\n{b}' }] }),
    { code: 'text_block_invalid', params: { entry: 'A', line: 2, text: '{b}' } },
  ],
])('refuses %s, and names the entry', (_, content, problem) => {
  expect(() => readTextsFile('t.json', content)).toThrow(expect.objectContaining(problem));
});
