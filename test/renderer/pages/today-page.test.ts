import { Script } from 'node:vm';
import { flushPromises } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { daySections, type Today, type Visit } from '#shared/desk/cases/day.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { completeForPaper } from '#shared/desk/setup/paper.ts';
import TodayPage from '#renderer/pages/TodayPage.vue';
import { useTodayStore } from '#renderer/stores/today-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { caseSummary } from '../../support/desk-records.ts';
import { uncheckedDays } from '../fixtures/empty-day.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { actsInMenu, mountPage, buttonOf, chooseFromMenu } from '../fixtures/mount-page.ts';

const visitAt = (number: number): Visit => ({
  summary: caseSummary({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    externalKey: `K-${number}`,
    partyName: `Party ${number}`,
    inspectionDate: '2026-06-01',
    documentCount: 3,
    documentsOnLaptop: 0,
  }),
  contact: {
    name: 'Anna Muster',
    phone: '+41 44 555 12 34',
    email: '',
    street: 'Bahnhofstrasse 1',
    postalCode: '8001',
    city: 'Zürich',
    homePostalCode: '8001',
  },
  time: null,
  note: '',
});

/** The page over a desk with this number of visits, of which the answers are counted. */
async function openToday(counts: Partial<Record<(typeof daySections)[number], number>>) {
  const desk = createDesk({ count: 1 });
  const visits = new Map(
    daySections.map((name, at) => [
      name,
      Array.from({ length: counts[name] ?? 0 }, (_, index) => visitAt(at * 10_000 + index)),
    ]),
  );
  const reads: string[] = [];
  desk.handlers.day.today = ({ show }) => {
    reads.push('today');
    const section = (name: (typeof daySections)[number]) => {
      const all = visits.get(name) ?? [];
      return { items: all.slice(0, show[name] ?? 20), total: all.length };
    };
    // The cast states what `fromEntries` cannot: every section is there.
    const sections = Object.fromEntries(
      daySections.map((name) => [name, section(name)]),
    ) as Today['sections'];
    return { day: '2026-06-15', sections, ordered: [], onlyOwn: false };
  };
  desk.handlers.day.visits = ({ ids }) => {
    reads.push(`visits ${ids.length}`);
    const items = [...visits.values()].flat().filter(({ summary }) => ids.includes(summary.id));
    return { items, total: items.length };
  };
  desk.handlers.day.ready = (days) => {
    reads.push('ready');
    return uncheckedDays(days);
  };
  await linked(desk);
  const { wrapper, router } = mountPage(TodayPage, desk);
  await flushPromises();
  const rows = () => wrapper.findAll('.day-case');
  const showAll = async () => {
    await buttonOf(wrapper, 'Alle 2’000 anzeigen').trigger('click');
    await flushPromises();
  };
  return { ...desk, wrapper, router, visits, reads, rows, showAll };
}

test('of 2,000 visits those near what is in sight exist, each with its place among all', async () => {
  const { wrapper, rows, showAll } = await openToday({ overdue: 2000, today: 12 });
  await showAll();
  expect(wrapper.get('#today-overdue').text()).toContain('2’000');
  expect(rows().length).toBeLessThan(100);
  expect(wrapper.findAll('*').length).toBeLessThan(4000);
  const first = wrapper.get('[aria-labelledby="today-overdue"] [role=listitem]');
  expect(first.attributes()).toMatchObject({ 'aria-posinset': '1', 'aria-setsize': '2000' });
});

test('a second reading of the same visits does not ask for their decisions again', async () => {
  const asked: number[] = [];
  const { handlers, pinia, visits } = await openToday({ today: 3 });
  handlers.day.turns = ({ ids }) => {
    asked.push(ids.length);
    return { items: [], total: 0 };
  };
  const day = useTodayStore(pinia);
  await day.load();
  await flushPromises();
  expect(asked).toEqual([]);
  visits.get('today')?.push(visitAt(99));
  await day.load();
  await flushPromises();
  expect(asked).toEqual([4]);
});

test('on paper is every visit of the day', async () => {
  const { rows } = await openToday({ today: 50, tomorrow: 8, overdue: 8 });
  const drawn = rows().length;
  expect(drawn).toBeLessThan(50);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  // Of those overdue what the user has opened.
  expect(rows()).toHaveLength(50 + 8 + 5);
  window.dispatchEvent(new Event('afterprint'));
  await nextTick();
  expect(rows()).toHaveLength(drawn);
});

test('the print button prints every visit of the day, and all that are overdue', async () => {
  const { wrapper, rows } = await openToday({ today: 50, overdue: 8 });
  const printed: number[] = [];
  vi.stubGlobal('print', () => printed.push(rows().length));
  onTestFinished(() => void vi.unstubAllGlobals());
  await buttonOf(wrapper, 'Tagesplan drucken').trigger('click');
  await flushPromises();
  expect(printed).toEqual([50 + 8]);
  // On paper it stands whose day it is.
  expect(wrapper.get('.head .only-printed').text()).toBe('Eva Muster, Muster AG');
});

test('Ctrl+P prints, and Ctrl+Shift+P is left to the menu that saves a PDF', async () => {
  await openToday({ today: 3 });
  const print = vi.fn();
  vi.stubGlobal('print', print);
  onTestFinished(() => void vi.unstubAllGlobals());
  const press = async (key: string, shiftKey: boolean) => {
    const event = new KeyboardEvent('keydown', { key, ctrlKey: true, shiftKey, cancelable: true });
    window.dispatchEvent(event);
    await flushPromises();
    return event.defaultPrevented;
  };
  expect([await press('P', true), print.mock.calls.length]).toEqual([false, 0]);
  expect([await press('p', false), print.mock.calls.length]).toEqual([true, 1]);
});

test('a view that the shell saves as a PDF has all overdue visits by then', async () => {
  const { rows } = await openToday({ today: 50, overdue: 8 });
  // As the shell runs it in the page.
  await (new Script(completeForPaper).runInThisContext() as Promise<void>);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  expect(rows()).toHaveLength(50 + 8);
});

test('a page that has nothing to complete does not keep the shell waiting', async () => {
  const completed = new Script(completeForPaper).runInThisContext() as Promise<void>;
  await expect(completed).resolves.toBeUndefined();
});

test('a document that comes in reads the visit that it belongs to, not the day', async () => {
  const { wrapper, visits, reads, showAll, emit } = await openToday({ overdue: 2000 });
  await showAll();
  reads.length = 0;
  const [first] = visits.get('overdue') ?? [];
  if (!first) throw new Error('no visit');
  visits.get('overdue')?.splice(0, 1, {
    ...first,
    summary: { ...first.summary, documentsOnLaptop: 2 },
  });
  emit({ type: 'documents.changed', caseId: first.summary.id });
  await vi.waitUntil(() => wrapper.text().includes('2 von 3'));
  await vi.waitUntil(() => reads.includes('ready'));
  expect(reads).toEqual(['visits 1', 'ready']);
});

test('a row that has the focus stays when it is scrolled out of sight', async () => {
  const seen: IntersectionObserverCallback[] = [];
  // The page that the tests run in lays nothing out; this one reports what a test sets.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly observe = () => undefined;
      readonly unobserve = () => undefined;
      readonly disconnect = () => undefined;
      constructor(callback: IntersectionObserverCallback) {
        seen.push(callback);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const { wrapper, rows } = await openToday({ today: 20 });
  const leave = async () => {
    const entry = { isIntersecting: false, boundingClientRect: { height: 1280 } };
    // The cast restates what the list reads of an entry.
    for (const callback of seen)
      callback([entry as IntersectionObserverEntry], {} as IntersectionObserver);
    await nextTick();
  };
  const link = wrapper.get<HTMLElement>('a.who').element;
  link.focus();
  await leave();
  expect(rows()).toHaveLength(20);
  expect(document.activeElement).toBe(link);
  link.blur();
  await nextTick();
  expect(rows()).toHaveLength(0);
});

test('the day begins with counts that open their lists, and has no empty boxes', async () => {
  const { wrapper } = await openToday({ returned: 2, overdue: 7, later: 1 });
  const heads = () => wrapper.findAll('h2').map((head) => head.text());
  expect(wrapper.text()).toContain('Heute keine Besichtigungen.');
  expect(heads()).toEqual(['Bereit für unterwegs', 'Überfällige Besichtigungen 7', 'Später 1']);
  expect(wrapper.findAll('.day-case')).toHaveLength(5 + 1);
  const returned = buttonOf(wrapper, '2Zurückgegebene Berichte');
  expect(wrapper.findAll('.count')).toHaveLength(1);
  await returned.trigger('click');
  expect(returned.attributes('aria-expanded')).toBe('true');
  expect(heads()[0]).toBe('Zurückgegebene Berichte 2');
  await returned.trigger('click');
  expect(heads()[0]).toBe('Bereit für unterwegs');
});

test('the panel states that days without a case have none, not 0 of 0', async () => {
  const { wrapper } = await openToday({});
  expect(wrapper.get('.verdict').text()).toContain('Letzter Stand: kein Fall an diesen Tagen.');
});

test('a visit leads to the telephone of its report, and to its case if it takes no photographs', async () => {
  const { wrapper, handlers, cases, visits, client, router } = await openToday({ today: 2 });
  const [first, second] = visits.get('today') ?? [];
  const [caseId = ''] = cases.keys();
  const draft = await client.reports.createDraft({ id: caseId });
  handlers.reports.list = ({ id }) =>
    id === first?.summary.id
      ? { items: [], drafts: [draft], total: 0, listedAt: null }
      : { items: [], drafts: [{ ...draft, queueId: 1 }], total: 0, listedAt: null };
  await chooseFromMenu(wrapper, 'Mehr zu «Party 30000»', 'Mit dem Telefon fotografieren');
  await vi.waitFor(() =>
    expect(router.currentRoute.value).toMatchObject({
      name: 'report',
      params: { draftId: draft.id },
      query: { telephone: '1' },
    }),
  );
  await chooseFromMenu(wrapper, 'Mehr zu «Party 30001»', 'Mit dem Telefon fotografieren');
  await vi.waitFor(() =>
    expect(router.currentRoute.value).toMatchObject({
      name: 'case',
      params: { id: second?.summary.id },
    }),
  );
});

test('a visit offers to move to a side that has another', async () => {
  const { wrapper } = await openToday({ today: 2, later: 1 });
  const acts = async (name: string) => {
    await buttonOf(wrapper, `Mehr zu «${name}»`).trigger('click');
    await vi.waitFor(() => expect(actsInMenu()).toContain('Zeit und Notiz'));
    const shown = actsInMenu();
    await buttonOf(wrapper, `Mehr zu «${name}»`).trigger('click');
    await vi.waitFor(() => expect(actsInMenu()).toEqual([]));
    return shown;
  };
  const both = ['Mit dem Telefon fotografieren', 'Zeit und Notiz'];
  expect(await acts('Party 30000')).toEqual([...both, 'Nach hinten']);
  expect(await acts('Party 30001')).toEqual([...both, 'Nach vorne']);
  const later = await acts('Party 50000');
  expect(later).toEqual(both);
});

test('what was typed about a visit stays in its dialog if it cannot be stored', async () => {
  const { wrapper, handlers } = await openToday({ today: 1 });
  const noted: string[] = [];
  handlers.day.setVisit = () => {
    throw new DeskError('disk_full');
  };
  await chooseFromMenu(wrapper, 'Mehr zu «Party 30000»', 'Zeit und Notiz');
  const dialog = () => document.querySelector('[role=dialog]');
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  const field = dialog()?.querySelector('textarea');
  if (!field) throw new Error('the dialog has no note');
  field.value = 'Schlüssel beim Nachbarn';
  field.dispatchEvent(new Event('input'));
  const save = () =>
    [...(dialog()?.querySelectorAll('button') ?? [])]
      .find((one) => one.textContent.trim() === 'Speichern')
      ?.click();
  save();
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Der Datenträger ist voll'));
  expect(dialog()?.querySelector('textarea')?.value).toBe('Schlüssel beim Nachbarn');
  handlers.day.setVisit = ({ note }) => {
    noted.push(note ?? '');
    return {};
  };
  save();
  await vi.waitFor(() => expect(noted).toEqual(['Schlüssel beim Nachbarn']));
});

/** The day with what was stored about its visits. */
async function openPlannedDay(today: number) {
  const opened = await openToday({ today });
  const stored: (string | null)[] = [];
  opened.handlers.day.setVisit = ({ id, time = null }) => {
    stored.push(time);
    const all = opened.visits.get('today') ?? [];
    const at = all.findIndex(({ summary }) => summary.id === id);
    const visit = all[at];
    if (visit) all[at] = { ...visit, time };
    return {};
  };
  const fields = () => opened.wrapper.findAll<HTMLInputElement>('input.time-field');
  let pressed = 0;
  /** A key in the field that has the focus, as the browser carries it out. */
  async function press(key: string, init: KeyboardEventInit = {}): Promise<KeyboardEvent> {
    pressed += 1;
    const field = document.activeElement as HTMLInputElement;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
    field.dispatchEvent(event);
    if (/^\S$/.test(key)) {
      const isSelected = field.selectionStart === 0 && field.selectionEnd === field.value.length;
      field.value = (isSelected ? '' : field.value) + key;
      field.setSelectionRange(field.value.length, field.value.length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await flushPromises();
    return event;
  }
  return { ...opened, stored, fields, press, pressedKeys: () => pressed };
}

test('the times of twelve visits are typed in 12 + 48 keys, one field after the other', async () => {
  const { stored, fields, press, pressedKeys } = await openPlannedDay(12);
  fields()[0]?.element.focus();
  const times = Array.from({ length: 12 }, (_, n) => `${String(7 + n).padStart(2, '0')}15`);
  for (const time of times) {
    for (const key of time) await press(key);
    await press('Tab');
  }
  expect(pressedKeys()).toBe(12 + 48);
  expect(stored).toEqual(times.map((time) => `${time.slice(0, 2)}:${time.slice(2)}`));
  await flushPromises();
  expect(fields().map(({ element }) => element.value)).toEqual(stored);
});

test('without a time Tab goes on within the row, arrows go to the next visit, and Alt moves it', async () => {
  const { fields, press, handlers } = await openPlannedDay(3);
  const plans: unknown[] = [];
  handlers.day.setPlan = ({ order }) => {
    plans.push(order?.map((id) => Number(id.slice(-4))));
    return {};
  };
  fields()[0]?.element.focus();
  expect((await press('Tab')).defaultPrevented).toBe(false);
  await press('ArrowDown');
  expect(document.activeElement).toBe(fields()[1]?.element);
  await press('ArrowUp');
  expect(document.activeElement).toBe(fields()[0]?.element);
  await press('ArrowDown', { altKey: true });
  expect(plans).toEqual([[1, 0, 2]]);
});

test('two quick keys move a visit by two places', async () => {
  const { fields, visits, handlers } = await openPlannedDay(3);
  const plans: unknown[] = [];
  handlers.day.setPlan = ({ order }) => {
    const items = visits.get('today') ?? [];
    plans.push(order?.map((id) => Number(id.slice(-4))));
    items.sort((a, b) => (order ?? []).indexOf(a.summary.id) - (order ?? []).indexOf(b.summary.id));
    return {};
  };
  for (let n = 0; n < 3; n += 1)
    fields()[0]?.element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }),
    );
  // The third key finds the visit at the end.
  await vi.waitFor(() =>
    expect(plans).toEqual([
      [1, 0, 2],
      [1, 2, 0],
    ]),
  );
  await flushPromises();
  expect(plans).toHaveLength(2);
});

test('what is no time stays in its field with a sentence, and Escape takes it back', async () => {
  const { stored, fields, press, wrapper } = await openPlannedDay(2);
  fields()[0]?.element.focus();
  for (const key of '2599') await press(key);
  fields()[1]?.element.focus();
  await nextTick();
  expect(fields()[0]?.element.value).toBe('2599');
  expect(fields()[0]?.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('.time-of-day [role=alert]').text()).toContain('zum Beispiel 0915');
  expect(stored).toEqual([]);
  fields()[0]?.element.focus();
  await press('Escape');
  expect(fields()[0]?.element.value).toBe('');
  // Three digits are a time once the field is left.
  for (const key of '915') await press(key);
  await press('Enter');
  expect(stored).toEqual(['09:15']);
});

test('a time that could not be stored stays in its field', async () => {
  const { fields, press, handlers, wrapper } = await openPlannedDay(1);
  handlers.day.setVisit = () => {
    throw new DeskError('disk_full');
  };
  fields()[0]?.element.focus();
  for (const key of '0915') await press(key);
  await flushPromises();
  expect(wrapper.text()).toContain('Der Datenträger ist voll');
  expect(fields()[0]?.element.value).toBe('09:15');
});

test('a visit is announced in the language of the region, by mail or telephone', async () => {
  const { wrapper, visits, handlers, emit } = await openToday({ today: 1 });
  handlers.templates.appraiser = () => ({
    name: 'Eva Experte',
    office: 'Büro Experte',
    address: '',
    phone: '+41 44 111 22 33',
    email: '',
  });
  handlers.day.messages = () => ({ de: '{party}: {day}, {time}, {place}, {key} {x}\n{sender}' });
  const [visit] = visits.get('today') ?? [];
  if (!visit) throw new Error('no visit');
  const contact = {
    ...visit.contact,
    email: 'anna@example.ch',
    street: 'Rue du Lac 3',
    postalCode: '1400',
    city: 'Yverdon',
    homePostalCode: '1400',
  };
  visits.set('today', [{ ...visit, contact, time: '10:15' }]);
  emit({ type: 'day.changed' });
  await vi.waitFor(() => expect(wrapper.text()).toContain('Yverdon'));
  await wrapper.get('[aria-label^="Besuch ankünden"]').trigger('click');
  const dialog = () => document.querySelector('[role=dialog][aria-label="Besuch ankünden"]');
  await vi.waitFor(() => expect(dialog()?.querySelector('textarea')).toBeTruthy());
  const link = (scheme: string) =>
    decodeURIComponent(dialog()?.querySelector(`a[href^="${scheme}"]`)?.getAttribute('href') ?? '');
  const said =
    'Bonjour,\n\nJe serai chez vous le lundi 01.06.2026 à 10:15 pour l’expertise (Rue du Lac 3, 1400 Yverdon).\n\nMeilleures salutations\nEva Experte\nBüro Experte\n+41 44 111 22 33';
  expect(link('mailto:')).toBe(
    `mailto:anna@example.ch?subject=Expertise du sinistre K-30000&body=${said.replaceAll('\n', '\r\n')}`,
  );
  expect(link('sms:')).toBe(`sms:+41445551234?body=${said}`);
  const german = dialog()?.querySelector<HTMLInputElement>('input[value="de"]');
  german?.click();
  // The user's own text replaces the desk's in its language only, and other braces stay.
  await vi.waitFor(() =>
    expect(link('sms:')).toBe(
      'sms:+41445551234?body=Party 30000: Montag, 01.06.2026, 10:15, Rue du Lac 3, 1400 Yverdon, K-30000 {x}\nEva Experte\nBüro Experte\n+41 44 111 22 33',
    ),
  );
  dialog()?.querySelector<HTMLInputElement>('input[value="it"]')?.click();
  await vi.waitFor(() => expect(link('sms:')).toContain('10:15 per'));
});

test('the proposal of a day is moved by keys, accepted with its times, and taken back', async () => {
  const { wrapper, visits, handlers, pinia } = await openToday({ today: 4 });
  const codes = ['3011', '8001', '9490', '5000'];
  const all = (visits.get('today') ?? []).map((visit, at) => ({
    ...visit,
    contact: { ...visit.contact, postalCode: codes[at] ?? '' },
    time: codes[at] === '3011' ? '13:00' : null,
  }));
  visits.set('today', all);
  const plans: unknown[] = [];
  const times: unknown[] = [];
  handlers.day.setPlan = ({ order }) => {
    plans.push(
      order?.map((id) => all.find(({ summary }) => summary.id === id)?.contact.postalCode),
    );
    return {};
  };
  handlers.day.setVisit = ({ id, time = null, note }) => {
    // A plan writes no note, which may have been typed in the meantime.
    expect(note).toBeUndefined();
    const at = all.findIndex(({ summary }) => summary.id === id);
    const visit = all[at];
    if (visit) all[at] = { ...visit, time };
    times.push([visit?.contact.postalCode, time]);
    return {};
  };
  await useTodayStore(pinia).load();
  await flushPromises();
  await wrapper.get('[aria-label^="Reihenfolge und Zeiten vorschlagen"]').trigger('click');
  const rows = () => [...document.querySelectorAll('[role=dialog] li')];
  await vi.waitFor(() => expect(rows()).toHaveLength(4));
  const shown = () => rows().map((row) => row.querySelector('.time')?.textContent);
  const text = () => document.querySelector('[role=dialog]')?.textContent ?? '';
  // The typed time stays, and the unknown place stays third and gets no time.
  expect(shown()).toEqual(['08:00', '09:45', '–', '13:00']);
  expect(text()).toContain('Ort nicht bekannt');
  expect(text()).toContain('9490 Party');
  expect(rows()[1]?.textContent).toContain('Fahrt etwa 5');
  rows()[0]?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }),
  );
  await flushPromises();
  expect(document.activeElement).toBe(rows()[1]);
  // A time that is typed elsewhere while the dialog is open counts in the order by hand, too.
  const typedAt = all.findIndex(({ contact }) => contact.postalCode === '9490');
  const elsewhere = all[typedAt];
  if (elsewhere) all[typedAt] = { ...elsewhere, time: '11:00' };
  await useTodayStore(pinia).load();
  await flushPromises();
  expect(shown()).toEqual(['08:00', '09:45', '11:00', '13:00']);
  [...document.querySelectorAll<HTMLElement>('[role=dialog] button')]
    .find((one) => one.textContent.trim() === 'Übernehmen')
    ?.click();
  await vi.waitFor(() => expect(plans).toEqual([['5000', '8001', '9490', '3011']]));
  expect(times).toEqual([
    ['5000', '08:00'],
    ['8001', '09:45'],
  ]);
  await vi.waitFor(() => expect(useUndoStore(pinia).canUndo).toBe(true));
  // What was typed since stays.
  const changedAt = all.findIndex(({ contact }) => contact.postalCode === '8001');
  const changed = all[changedAt];
  if (changed) all[changedAt] = { ...changed, time: '10:30' };
  await useUndoStore(pinia).undo();
  expect(plans.at(-1)).toBeUndefined();
  expect(times.slice(2)).toEqual([['5000', null]]);
});

test('on paper an overdue visit has the day of its inspection, which the screen says as an age', async () => {
  const { wrapper } = await openToday({ today: 1, overdue: 1 });
  const dates = (section: string) =>
    wrapper
      .get(`section[aria-labelledby=today-${section}]`)
      .findAll('.time .only-printed')
      .map((one) => one.text());
  expect(dates('overdue')).toEqual(['01.06.2026']);
  expect(dates('today')).toEqual([]);
});
