import { expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { BatchCase } from '#shared/desk/reports/batch.ts';
import BatchCases from '#renderer/pages/batch/BatchCases.vue';
import { groupRows, type ShownRow } from '#renderer/stores/batch-rows.ts';
import { useBatchStore } from '#renderer/stores/batch-store.ts';
import { batchRow } from '../fixtures/fake-batch.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { actsInMenu, buttonOf, chooseFromMenu, mountPage } from '../fixtures/mount-page.ts';

const row = (part: Partial<ShownRow>): ShownRow => ({
  ...batchRow({ path: 'SF-2026-000001.pdf', ...part }),
  state: 'open',
  searchProblem: null,
  head: part.case ?? null,
  ...part,
});

function mountCases(...rows: ShownRow[]) {
  const desk = createDesk({ count: 1 });
  return mountPage(BatchCases, desk, { groups: groupRows(rows), onlyLeft: false });
}

/** As `mountCases`, with what the list reports to the store. */
function mountInUse(...rows: ShownRow[]) {
  const desk = createDesk({ count: 1 });
  const setInUse = vi.fn<(isOn: boolean) => void>();
  useBatchStore(desk.pinia).setInUse = setInUse;
  return { ...mountPage(BatchCases, desk, { groups: groupRows(rows), onlyLeft: false }), setInUse };
}

test('a comment of a row that is too long stays whole and shows by how much', async () => {
  const { wrapper } = mountCases(row({ comment: 'x'.repeat(commentMaxLength + 3) }));
  const field = wrapper.get('textarea');
  expect(field.element.value).toHaveLength(commentMaxLength + 3);
  expect(field.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('[role=alert]').text()).toMatch(/^3 Zeichen zu viel\./);
  await wrapper.setProps({ groups: groupRows([row({ comment: 'x'.repeat(commentMaxLength) })]) });
  expect(wrapper.find('[role=alert]').exists()).toBe(false);
});

const keller: BatchCase = {
  id: '6f1f5f0e-7b0a-4b2e-9c1d-000000000001',
  externalKey: 'SCH-1',
  partyName: 'Anna Keller',
  subject: 'VW Golf',
  licensePlate: 'ZH 1234',
  problem: null,
  awaits: false,
};
const final = { code: 'case_state', params: { status: 'Final' } } as const;
const empty = { code: 'file_empty', params: { fileName: 'a.pdf' } } as const;

test.each([
  [{ typed: '' }, 'Nichts erkannt. Bitte die Schadennummer eintragen.'],
  [
    {
      refusal: 'unknown_case' as const,
      matchedBy: [{ kind: 'externalKey' as const, identifier: 'SCH-9', in: 'file' as const }],
    },
    'Kein Fall auf diesem Gerät hat diese Schadennummer: SCH-9',
  ],
  [{ isCorrected: true, typed: 'SCH', refusal: null }, ''],
  [
    { isCorrected: true, typed: 'SCH-1', refusal: null, caseId: keller.id, case: keller },
    'von Hand eingetragen',
  ],
])('a file with %j shows how it was matched', (part, text) => {
  const { wrapper } = mountCases(row(part));
  expect(wrapper.get('.how').text()).toBe(text);
});

test('a head names party, vehicle and the fault of the case, the file its own fault', () => {
  const closed = { ...keller, problem: final };
  const problems = [empty, final];
  const { wrapper } = mountCases(
    row({ outcome: 'refused', caseId: keller.id, case: closed, problem: empty, problems }),
  );
  const head = wrapper.get('.head').text();
  expect(head).toContain('Anna Keller');
  expect(head).toContain('VW Golf, ZH 1234');
  expect(head).toContain('1 Datei');
  expect(head).toContain('Zu klären');
  expect(head).toContain('«Abgeschlossen»');
  expect(wrapper.get('[role=listitem]').text()).toContain('ist leer');
  expect(wrapper.get('[role=listitem]').text()).not.toContain('«Abgeschlossen»');
});

/** The button of the menu of the file that `row` makes. */
const menu = 'Mehr zu «SF-2026-000001.pdf»';
const certain = {
  caseId: keller.id,
  case: keller,
  confidence: 'certain',
  refusal: null,
  outcome: 'ready',
} as const;

test('the files of a case stand under it, those without one before them, and each head counts', () => {
  const { wrapper } = mountCases(
    row({ path: 'c.pdf' }),
    row({ ...certain, path: 'a.pdf' }),
    row({ ...certain, path: 'x/b.pdf' }),
  );
  const parts = wrapper.findAll('section section');
  expect(parts.map((part) => part.findAll('[role=listitem]').length)).toEqual([1, 2]);
  expect(parts[0]?.get('.head').text()).toMatch(/^Einem Fall zuordnen\s*1$/);
  expect(parts[1]?.get('.head').text()).toMatch(/2 Dateien\s*Bereit$/);
  expect(parts[1]?.findAll('.name').map((name) => name.attributes('title'))).toEqual([
    'a.pdf',
    'x/b.pdf',
  ]);
});

test('of a mail is said that it looks cut off, and of other files that they look damaged', () => {
  const said = (path: string) =>
    mountCases(row({ ...certain, path, looksDamaged: true })).wrapper.text();
  expect(said('SF-2026-000001.eml')).toContain('Sieht abgeschnitten aus: Das Ende der E-Mail');
  expect(said('SF-2026-000001.jpg')).toContain('Sieht beschädigt aus');
});

test.each<readonly [string, Partial<ShownRow>, boolean]>([
  ['is sure', {}, true],
  ['was corrected', { isCorrected: true, typed: 'SCH-1' }, true],
  ['is likely', { confidence: 'likely' }, false],
  ['was sent before', { outcome: 'known' }, false],
  ['is sent again', { sendsAgain: true }, false],
  ['is queued', { state: 'queued' }, false],
  ['is protected', { isProtected: true }, false],
  ['looks damaged', { looksDamaged: true }, false],
  ['hides answers', { hidesAnswers: true }, false],
  ['waits for the assignment', { case: { ...keller, awaits: true } }, true],
  ['has a fault', { problem: empty, problems: [empty] }, false],
])('the only file of a case that %s: in one row with its case %j', (_name, part, isOne) => {
  const { wrapper } = mountCases(row({ ...certain, ...part }));
  const line = wrapper.get('[role=listitem]');
  expect(line.find('h2').exists()).toBe(isOne);
  expect(wrapper.get('section section').attributes('aria-labelledby')).toBe(
    wrapper.get('h2').attributes('id'),
  );
  expect(wrapper.get('h2').text()).toContain('Anna Keller · SCH-1');
  expect(wrapper.findAll('h2')).toHaveLength(1);
  // A file with anything to report has a head above it.
  expect(line.find('.how').exists()).toBe(!isOne);
});

test('the only file of a case says in its title and menu how it was matched, and what it waits for', async () => {
  const matchedBy = [{ kind: 'licensePlate', identifier: 'ZH 1234', in: 'file' }] as const;
  const awaiting = { ...keller, awaits: true };
  const { wrapper } = mountCases(row({ ...certain, matchedBy: [...matchedBy], case: awaiting }));
  const head = wrapper.get('[role=listitem] .head');
  expect(head.attributes('title')).toBe(
    'Anna Keller · SCH-1, VW Golf, ZH 1234 · sicher: Kontrollschild ZH 1234 · Wartet auf die Annahme des Falls',
  );
  expect(head.text()).toContain('Wartet auf die Annahme des Falls');
  await buttonOf(wrapper, menu).trigger('click');
  await vi.waitFor(() => expect(actsInMenu()).toContain('Anderer Fall'));
  const menuText = document.querySelector('.v-overlay--active .v-list')?.textContent;
  expect(menuText).toContain('Anderer Fallsicher: Kontrollschild ZH 1234');
});

test('the only file of a case gets the field for another case in its row', async () => {
  const { wrapper } = mountCases(row({ ...certain }));
  await chooseFromMenu(wrapper, menu, 'Anderer Fall');
  const line = wrapper.get('[role=listitem]');
  expect(line.find('h2').exists()).toBe(true);
  expect(document.activeElement).toBe(line.get('input:not([type])').element);
});

test('the head of a filtered case counts all its files', () => {
  const desk = createDesk({ count: 1 });
  const rows = [row({ ...certain, path: 'a.pdf' }), row({ ...certain, path: 'b.pdf' })];
  const groups = groupRows(rows, ({ path }) => path === 'a.pdf');
  const { wrapper } = mountPage(BatchCases, desk, { groups, onlyLeft: true });
  expect(wrapper.findAll('[role=listitem]')).toHaveLength(1);
  expect(wrapper.get('.head').text()).toContain('2 Dateien');
});

test('a head counts the files of its case wherever they stand, and reports what is wrong with any', () => {
  const meier = { ...keller, id: '6f1f5f0e-7b0a-4b2e-9c1d-000000000002', partyName: 'Beat Meier' };
  const { wrapper } = mountCases(
    row({ path: 'c.pdf' }),
    row({ ...certain, path: 'd.pdf', head: null, isCorrected: true, outcome: 'missing' }),
    row({ ...certain, path: 'a.pdf', outcome: 'kept_back' }),
    row({ ...certain, path: 'b.pdf', head: meier, isCorrected: true }),
    row({ path: 'e.pdf', head: meier }),
  );
  const heads = wrapper.findAll('.head.across').map((head) => head.text());
  expect(heads[0]).toMatch(/^Einem Fall zuordnen\s*2$/);
  expect(heads[1]).toMatch(/Anna Keller.*3 Dateien\s*2 Dateien werden noch nicht eingereicht\.$/);
  expect(heads[2]).toMatch(/Beat Meier.*0 Dateien$/);
});

test.each([
  [{ case: { ...keller, awaits: true } }, 'Wartet auf die Annahme des Falls'],
  [{ state: 'adding', outcome: 'missing' }, 'Wird hinzugefügt'],
  [{ outcome: 'duplicate' }, '1 Datei wird noch nicht eingereicht.'],
  [{ outcome: 'ready' }, 'Bereit'],
] as const)('the head of a file that is %j says whether its report can go', (part, text) => {
  const { wrapper } = mountCases(row({ ...certain, ...part }));
  expect(wrapper.get('.head .chip').text()).toContain(text);
});

test('the head of a case that is queued says nothing of what is ready', () => {
  const { wrapper } = mountCases(row({ ...certain, outcome: 'added', state: 'queued' }));
  expect(wrapper.find('.head .chip').exists()).toBe(false);
  expect(wrapper.get('[role=listitem]').text()).toContain('Im Postausgang');
});

test('a sure match is a text until the user asks for another case; a doubtful one is a field', async () => {
  const { wrapper } = mountCases(row(certain));
  const field = 'input[type=text], input:not([type])';
  expect(wrapper.find(field).exists()).toBe(false);
  await chooseFromMenu(wrapper, menu, 'Anderer Fall');
  expect(wrapper.find(field).exists()).toBe(true);
  const doubtful = mountCases(row({ ...certain, confidence: 'likely' }));
  expect(doubtful.wrapper.find(field).exists()).toBe(true);
});

test('another case and a comment of a file are asked for in its menu, and have the focus', async () => {
  const { wrapper } = mountCases(row(certain));
  const hasFocus = (field: string) =>
    vi.waitFor(() => expect(document.activeElement).toBe(wrapper.get(field).element));
  await chooseFromMenu(wrapper, menu, 'Anderer Fall');
  await hasFocus('input.plain-field');
  await chooseFromMenu(wrapper, menu, 'Kommentar zum Fall');
  await hasFocus('textarea');
  await chooseFromMenu(wrapper, menu, 'Anderer Fall');
  expect(wrapper.find('input.plain-field').exists(), 'the field is closed').toBe(false);
});

test('a comment that was there before stays a field while it is typed again from nothing', async () => {
  const { wrapper } = mountCases(row({ comment: 'Nur hier' }));
  const field = wrapper.get('textarea');
  await field.trigger('focus');
  await wrapper.setProps({ groups: groupRows([row({ comment: '' })]) });
  expect(wrapper.get('textarea').element).toBe(field.element);
});

test('the list is in use while the focus is in it or a mouse button is down', async () => {
  const { wrapper, setInUse } = mountInUse(row({ path: 'a.pdf' }), row({ path: 'b.pdf' }));
  const [first, second] = wrapper.findAll<HTMLInputElement>('input.plain-field');
  first?.element.focus();
  await vi.waitFor(() => expect(setInUse.mock.calls).toEqual([[true]]));
  second?.element.focus();
  await nextTick();
  expect(setInUse, 'from row to row').toHaveBeenCalledTimes(1);
  window.dispatchEvent(new PointerEvent('pointerdown'));
  second?.element.blur();
  await nextTick();
  expect(setInUse, 'what is clicked stays').toHaveBeenCalledTimes(1);
  window.dispatchEvent(new PointerEvent('pointerup'));
  await vi.waitFor(() => expect(setInUse.mock.calls).toEqual([[true], [false]]));
});

test('the list is no longer in use when its field with the focus, or the list, is removed', async () => {
  const { wrapper, setInUse } = mountInUse(row({ path: 'a.pdf' }), row({ path: 'b.pdf' }));
  wrapper.get<HTMLInputElement>('input.plain-field').element.focus();
  await vi.waitFor(() => expect(setInUse).toHaveBeenLastCalledWith(true));
  await wrapper.setProps({ groups: groupRows([row({ path: 'b.pdf' })]) });
  await vi.waitFor(() => expect(setInUse).toHaveBeenLastCalledWith(false));
  wrapper.get<HTMLInputElement>('input.plain-field').element.focus();
  await vi.waitFor(() => expect(setInUse).toHaveBeenLastCalledWith(true));
  wrapper.unmount();
  expect(setInUse).toHaveBeenLastCalledWith(false);
});

test('a file that was given to another case stays in its place and names that case', async () => {
  const { wrapper } = mountCases(row({ path: 'c.pdf' }));
  await wrapper.get('input.plain-field').trigger('focus');
  const assigned = row({ ...certain, path: 'c.pdf', isCorrected: true, head: null });
  await wrapper.setProps({ groups: groupRows([assigned]) });
  expect(wrapper.get('.head').text()).toMatch(/^Einem Fall zuordnen\s*0$/);
  expect(wrapper.get('[role=listitem]').text()).toContain('Anna Keller, VW Golf, ZH 1234');
  expect(wrapper.find('input.plain-field').exists()).toBe(true);
});

test('cases that may be meant are offered while the file has none', () => {
  const { wrapper } = mountCases(row({ choices: [keller] }));
  expect(wrapper.get('.choices button').text()).toContain('Anna Keller');
  const chosen = mountCases(row({ caseId: keller.id, case: keller, choices: [keller] }));
  expect(chosen.wrapper.find('.choices').exists()).toBe(false);
});

test.each([
  [{ outcome: 'kept_back' }, 'Wartet: Eine andere Datei dieses Falls'],
  [{ outcome: 'duplicate' }, 'Derselbe Inhalt'],
  [{ outcome: 'missing' }, 'Noch nicht hinzugefügt.'],
  [{ outcome: 'known' }, 'Schon in einem Entwurf dieses Falls'],
  [{ outcome: 'known', queueId: 7, queueState: 'unknown' }, 'schon im Postausgang'],
  [{ outcome: 'known', queueId: 7, queueState: 'delivered' }, 'schon zugestellt'],
] as const)('a file that is %j says why it does not go by itself', (part, text) => {
  const { wrapper } = mountCases(row({ caseId: keller.id, case: keller, ...part }));
  const match = wrapper.get('.match').text();
  expect(match).toContain(text);
  expect(match.includes('Trotzdem senden')).toBe('queueId' in part);
});

test.each([
  ['of one case', () => certain],
  ['without a case', () => ({})],
  [
    'of as many cases',
    (at: number) => {
      const id = `6f1f5f0e-7b0a-4b2e-9c1d-${String(at).padStart(12, '0')}`;
      return { ...certain, caseId: id, case: { ...keller, id } };
    },
  ],
])('of 80 files %s those near what is in sight exist; on paper all do', async (_, of) => {
  const rows = Array.from({ length: 80 }, (_row, at) =>
    row({ ...of(at), path: `${String(at)}.pdf` }),
  );
  const { wrapper } = mountCases(...rows);
  const drawn = () => wrapper.findAll('[role=listitem]').length;
  expect(drawn()).toBeGreaterThan(0);
  expect(drawn()).toBeLessThan(60);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  expect(drawn()).toBe(80);
  window.dispatchEvent(new Event('afterprint'));
});
