import { flushPromises } from '@vue/test-utils';
import { nextTick } from 'vue';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import CaseNote from '#renderer/pages/case/CaseNote.vue';
import CasePane from '#renderer/pages/case/CasePane.vue';
import CasesPage from '#renderer/pages/cases/CasesPage.vue';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';
import { proofAt } from '../../support/desk-records.ts';

/** The pane with the first of two cases in it, whose amounts differ. */
async function openPane() {
  const desk = createDesk({ count: 2 });
  await linked(desk);
  const [first = '', second = ''] = desk.cases.keys();
  for (const [id, approvedRappen] of [
    [first, 10_000],
    [second, 20_000],
  ] as const) {
    const detail = desk.cases.get(id);
    if (detail) desk.cases.set(id, { ...detail, status: 'InProgress', approvedRappen });
  }
  const { wrapper } = mountPage(CasePane, desk, { id: first, closable: false });
  await flushPromises();
  const amount = () => {
    const field = wrapper.findAll<HTMLInputElement>('.amount input')[1];
    if (!field) throw new Error('there is no amount');
    return field;
  };
  return { desk, wrapper, first, second, amount };
}
const isInert = (wrapper: { find(selector: string): { element: Element } }) =>
  ['header', '.scroll'].map((part) => wrapper.find(part).element.hasAttribute('inert'));

test('whose case it is is a state with a menu, and looks like one', async () => {
  const { wrapper } = await openPane();
  const mine = buttonOf(wrapper, 'Mein Fall');
  expect(mine.attributes('aria-haspopup')).toBe('menu');
  // On a ground, with the sign of the state before it and that of a menu behind it.
  expect(mine.classes()).toContain('v-btn--variant-tonal');
  expect(mine.findAll('.v-btn__prepend .v-icon, .v-btn__append .v-icon')).toHaveLength(2);
});

test('says above the work how far the reopening of a case is', async () => {
  const { desk, wrapper, first } = await openPane();
  const work = () => wrapper.get('.work').text();
  expect(work()).not.toContain('Wird wieder geöffnet');
  await useCasesStore(desk.pinia).reopen(first, 'Nachtrag der Garage');
  await useQueueStore(desk.pinia).load();
  await flushPromises();
  expect(work()).toMatch(/^Wird wieder geöffnet Auf diesem Gerät gespeichert/);
  desk.changeItem(1, { state: 'delivered' });
  await useQueueStore(desk.pinia).load();
  await flushPromises();
  expect(work()).not.toContain('Wird wieder geöffnet');
});

test('two quick presses reopen a case once', async () => {
  const { desk, wrapper, first } = await openPane();
  const detail = desk.cases.get(first);
  if (detail) desk.cases.set(first, { ...detail, status: 'Final' });
  await useCasesStore(desk.pinia).open(first);
  useEditsStore(desk.pinia).change(first, 'reason', 'Nachtrag');
  await flushPromises();
  await buttonOf(wrapper, 'Wieder öffnen').trigger('click');
  await flushPromises();
  const act = document.querySelector<HTMLElement>('.act-dialog .v-btn--variant-flat');
  const reopened = vi.spyOn(desk.handlers.cases, 'reopen');
  const late = desk.holdAnswer('cases.reopen');
  act?.click();
  await late.made;
  act?.click();
  await flushPromises();
  late.release();
  await vi.waitFor(() => expect(desk.queue).toHaveLength(1));
  await flushPromises();
  expect(reopened).toHaveBeenCalledOnce();
});

test('a case that is assigned to somebody else promises no delivery, and has no visit', async () => {
  const { desk, wrapper, first } = await openPane();
  const detail = desk.cases.get(first);
  if (detail) desk.cases.set(first, { ...detail, status: 'Assigned' });
  await useCasesStore(desk.pinia).open(first);
  await flushPromises();
  const work = () => wrapper.get('.work').text();
  expect(work()).toContain('werden automatisch gesendet');
  expect(wrapper.find('header .time-field').exists()).toBe(true);
  if (detail) desk.cases.set(first, { ...detail, status: 'Assigned', goneReason: 'forbidden' });
  await useCasesStore(desk.pinia).open(first);
  await flushPromises();
  expect(work()).toMatch(/^Dieser Fall ist Ihnen nicht mehr zugeteilt/);
  expect(work()).not.toContain('werden automatisch gesendet');
  expect(wrapper.find('header .time-field').exists()).toBe(false);
  expect(wrapper.text()).not.toContain('Neuer Bericht');
  expect(wrapper.get('#comment-title').element.closest('section')?.innerHTML).toContain('readonly');
});

test('the next step of a case stands at its name, and only there', async () => {
  const { desk, wrapper, first } = await openPane();
  const ways = (part: string) =>
    wrapper
      .get(part)
      .findAll('button')
      .map((one) => one.text())
      .filter((text) => ['Neuer Bericht', 'Entwurf weiterbearbeiten'].includes(text));
  expect(ways('header')).toEqual(['Neuer Bericht']);
  expect(ways('.scroll')).toEqual([]);
  const { id } = await useReportsStore(desk.pinia).createDraft(first);
  await flushPromises();
  expect(ways('header')).toEqual(['Entwurf weiterbearbeiten']);
  expect(ways('.scroll')).toEqual(['Neuer Bericht']);
  // Once it is on its way, the insurer is next.
  await useReportsStore(desk.pinia).submit(id);
  await useReportsStore(desk.pinia).load(first);
  await flushPromises();
  expect(ways('header')).toEqual([]);
  expect(ways('.scroll')).toEqual(['Neuer Bericht']);
});

test('the history shows the reason of a reopening of this laptop', async () => {
  const { desk, wrapper, first } = await openPane();
  await useCasesStore(desk.pinia).reopen(first, 'Neue Rechnung der Garage');
  const at = '2026-06-15T08:00:00Z';
  desk.changeItem(1, { state: 'delivered', delivered: proofAt(at) });
  await useQueueStore(desk.pinia).load();
  const changes = [{ field: 'status', before: 'Final', after: 'Reopened' }];
  desk.handlers.cases.history = () => ({ items: [{ at, changes }], total: 1 });
  const history = wrapper.get<HTMLDetailsElement>('details');
  history.element.open = true;
  await history.trigger('toggle');
  await flushPromises();
  expect(history.get('.change').text()).toContain('Ihre Begründung: Neue Rechnung der Garage');
});

test('the history shows which change came from this laptop', async () => {
  const { desk, wrapper, first } = await openPane();
  await useCasesStore(desk.pinia).setAmounts(first, {
    costEstimateRappen: 30_000,
    approvedRappen: 25_000,
  });
  const at = '2026-06-15T08:00:00Z';
  desk.changeItem(1, { state: 'delivered', delivered: proofAt(at) });
  await useQueueStore(desk.pinia).load();
  const changes = [
    { field: 'approvedRappen', before: 10_000, after: 25_000 },
    { field: 'archiveState', before: false, after: true },
    // Without a name in the panel itself: that of its column.
    { field: 'documentCount', before: '1', after: '2' },
  ];
  desk.handlers.cases.history = () => ({ items: [{ at, changes }], total: 1 });
  const history = wrapper.get<HTMLDetailsElement>('details');
  history.element.open = true;
  await history.trigger('toggle');
  await flushPromises();
  const [own, other, plain] = history.findAll('.change').map((one) => one.text());
  expect(own).toMatch(/^Anerkannter Betrag: CHF.100\.00 → CHF.250\.00 · von diesem Gerät, /);
  expect(other).toBe('Archiv: Nein → Ja · nicht von diesem Gerät');
  expect(plain).toMatch(/^Dokumente: 1 → 2/);

  // What the next sync brings comes into a history that is open.
  const later = [{ field: 'status', before: 'Final', after: 'InProgress' }];
  const items = [
    { at: '2026-06-15T08:05:00Z', changes: later },
    { at, changes },
  ];
  desk.handlers.cases.history = () => ({ items, total: 2 });
  desk.emit({ type: 'cases.changed', caseIds: [first] });
  // Changes are passed on once a second.
  await vi.waitFor(() =>
    expect(history.get('.change').text()).toContain('Abgeschlossen → In Arbeit'),
  );
});

test('until another case is read the one before stays, out of reach', async () => {
  const { desk, wrapper, second, amount } = await openPane();
  const field = amount().element;
  expect(field.value).toBe('100.00');
  const answer = desk.hold('cases.get');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await wrapper.setProps({ id: second });
  expect(amount().element.value).toBe('100.00');
  expect(wrapper.find('.curtain').exists(), 'the pointer reaches nothing').toBe(true);
  vi.advanceTimersByTime(300);
  await nextTick();
  vi.useRealTimers();
  expect(isInert(wrapper)).toEqual([true, true]);
  await answer();
  await flushPromises();
  expect(amount().element.value).toBe('200.00');
  expect(isInert(wrapper)).toEqual([false, false]);
  expect(wrapper.find('.curtain').exists()).toBe(false);
  expect(amount().element, 'the field itself is kept').toBe(field);
  expect(wrapper.text()).toContain(desk.cases.get(second)?.externalKey);
});

test('a case that is only passed asks the insurer for nothing', async () => {
  const { desk, wrapper, first, second } = await openPane();
  const asked = (['documents', 'reports'] as const).map((group) =>
    vi.spyOn(desk.handlers[group], 'list'),
  );
  const refreshed = () =>
    asked.map(({ mock }) => mock.calls.filter(([{ refresh }]) => refresh).map(([{ id }]) => id));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const id of [second, first, second]) {
    await wrapper.setProps({ id });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(refreshed()).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(300);
  vi.useRealTimers();
  expect(refreshed()).toEqual([[second], [second]]);
});

test('the case after the one that is opened is there with its key', async () => {
  const desk = createDesk({ count: 3 });
  const { wrapper } = mountPage(CasesPage, desk);
  await flushPromises();
  const list = wrapper.get('[role=listbox]');
  const shown = () => wrapper.find('.case').text();
  const [, second, third] = wrapper
    .findAll('.case-row .line.muted > .grow')
    .map((one) => one.attributes('title'));
  await list.trigger('keydown', { key: 'ArrowDown' });
  await vi.waitUntil(() => wrapper.find('.case header').exists());
  await flushPromises();
  desk.hold('cases.get');
  await list.trigger('keydown', { key: 'ArrowDown' });
  await nextTick();
  expect(shown()).toContain(second);
  expect(wrapper.find('.curtain').exists()).toBe(false);
  await list.trigger('keydown', { key: 'ArrowDown' });
  await nextTick();
  expect(shown(), 'of this one nothing was read').not.toContain(third);
});

test('a case that cannot be read leaves nothing of the one before', async () => {
  const { wrapper } = await openPane();
  await wrapper.setProps({ id: 'nowhere' });
  await flushPromises();
  expect(wrapper.text()).toContain('Fall nicht gefunden');
  expect(wrapper.find('header').exists()).toBe(false);
});

test('another workspace leaves nothing of the case of the one before', async () => {
  const { desk, wrapper, second } = await openPane();
  desk.hold('cases.get');
  await wrapper.setProps({ id: second });
  useCasesStore(desk.pinia).details.clear();
  await flushPromises();
  expect(wrapper.find('header').exists()).toBe(false);
});

test('what was begun at one case is not shown at the next', async () => {
  const { desk, wrapper, first, second, amount } = await openPane();
  await amount().setValue('150');
  const history = wrapper.get<HTMLDetailsElement>('details');
  history.element.open = true;
  await history.trigger('toggle');
  await flushPromises();
  expect(wrapper.get('details').text()).not.toBe('Verlauf');
  await wrapper.setProps({ id: second });
  await flushPromises();
  expect(amount().element.value).toBe('200.00');
  expect(wrapper.get<HTMLDetailsElement>('details').element.open).toBe(false);
  await amount().setValue('210');
  await wrapper.setProps({ id: first });
  await flushPromises();
  expect(amount().element.value).toBe('150');
  await buttonOf(wrapper, 'Beträge speichern').trigger('click');
  await flushPromises();
  expect(desk.queue.map(({ caseId, act }) => ({ caseId, act }))).toMatchObject([
    { caseId: first, act: { approvedRappen: 15_000 } },
  ]);
});

test('an act that ends when another case is shown changes nothing of that one', async () => {
  const { desk, wrapper, first, second, amount } = await openPane();
  const edits = useEditsStore(desk.pinia);
  edits.change(second, 'approved', '210');
  await amount().setValue('150');
  const saved = desk.hold('cases.setAmounts');
  await buttonOf(wrapper, 'Beträge speichern').trigger('click');
  await wrapper.setProps({ id: second });
  await flushPromises();
  await saved();
  await vi.waitFor(() => expect(edits.edits.has(first)).toBe(false));
  expect(amount().element.value).toBe('210');

  const history = wrapper.get<HTMLDetailsElement>('details');
  history.element.open = true;
  const read = desk.hold('cases.history');
  const refused = vi.spyOn(desk.handlers.cases, 'history').mockImplementationOnce(() => {
    throw new DeskError('case_not_found', { id: second });
  });
  await history.trigger('toggle');
  await wrapper.setProps({ id: first });
  await flushPromises();
  await read();
  await vi.waitFor(() => expect(refused).toHaveBeenCalledOnce());
  await flushPromises();
  expect(wrapper.find('.note').exists()).toBe(false);
});

test('the red sign of the list shows what changed, and leads to the decision in the case', async () => {
  const desk = createDesk({ count: 2 });
  const [id = ''] = desk.cases.keys();
  const detail = desk.cases.get(id);
  if (!detail) throw new Error('a case is there');
  desk.cases.set(id, { ...detail, status: 'InProgress', needsAttention: true });
  await desk.client.cases.setAmounts({ id, approvedRappen: 700_000 });
  const conflict = {
    field: 'approvedRappen',
    seen: 800_000,
    found: 900_050,
    mine: 700_000,
  } as const;
  desk.changeItem(1, {
    state: 'attention',
    problem: { code: 'server_value_changed', params: { field: 'approvedRappen' } },
    conflicts: [{ ...conflict, by: 'colleague', noticedAt: null }],
  });
  const { wrapper, router } = mountPage(CasesPage, desk);
  await useQueueStore(desk.pinia).load();
  await flushPromises();
  const sign = wrapper.get('.case-row .marks .text-error[role=img]');
  expect(sign.attributes('aria-label')).toBe(
    [
      'Inzwischen geändert, vermutlich in Ihrem Büro. Im Fall entscheiden:',
      'Anerkannter Betrag: CHF\u00a08’000.00, jetzt CHF\u00a09’000.50',
    ].join('\n'),
  );
  await sign.trigger('click');
  await vi.waitUntil(
    () =>
      document.activeElement instanceof HTMLButtonElement && wrapper.find('.conflicts').exists(),
  );
  expect(document.activeElement?.textContent).toContain('Meinen Wert senden');
  expect(router.currentRoute.value.params['id']).toBe(id);
});

test('a note is stored with every key, also after the engine has failed, and is its case’s own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const desk = createDesk({ count: 2 });
  const [first = '', second = ''] = desk.cases.keys();
  const { wrapper } = mountPage(CaseNote, desk, { caseId: first });
  const field = () => wrapper.get('textarea');
  expect(field().attributes('readonly')).toBeDefined();
  await flushPromises();
  expect(field().attributes('readonly')).toBeUndefined();
  const { set } = desk.handlers.notes;
  desk.handlers.notes.set = () => {
    throw new DeskError('disk_full');
  };
  await field().setValue('dog, back door');
  await flushPromises();
  expect(wrapper.text()).toContain('Wird gespeichert');
  desk.handlers.notes.set = set;
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  await flushPromises();
  expect(wrapper.text()).toContain('Gespeichert');
  await wrapper.setProps({ caseId: second });
  await flushPromises();
  expect(field().element.value).toBe('');
  await wrapper.setProps({ caseId: first });
  await flushPromises();
  expect(field().element.value).toBe('dog, back door');
});

test('a note is read again if the workspace was opened again under its case', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.handlers.notes.set({ id, text: 'dog' });
  const { wrapper } = mountPage(CaseNote, desk, { caseId: id });
  await linked(desk);
  await desk.handlers.notes.set({ id, text: 'dog, back door' });
  desk.emit({ type: 'workspace.changed' });
  await flushPromises();
  expect(wrapper.get('textarea').element.value).toBe('dog, back door');
});

test('the way back to the list is the same link before and after the case is read', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const [id = ''] = desk.cases.keys();
  const { wrapper } = mountPage(CasePane, desk, { id, closable: true });
  const links = () =>
    wrapper.findAll('a[href="#/cases"], a[href="/cases"]').map((one) => one.element);
  const before = links();
  expect(before).toHaveLength(1);
  await flushPromises();
  expect(wrapper.find('h1').exists()).toBe(true);
  // A link that is replaced between the press and the release of the button is not clicked.
  expect(links()).toEqual(before);
  expect(links()[0]).toBe(before[0]);
});
