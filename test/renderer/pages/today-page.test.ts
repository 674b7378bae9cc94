import { Script } from 'node:vm';
import { flushPromises } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { daySections, type Today, type Visit } from '#shared/desk/day.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { completeForPaper } from '#shared/desk/paper.ts';
import TodayPage from '#renderer/pages/TodayPage.vue';
import { caseSummary } from '../../support/desk-records.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';

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
    ...{ name: 'Anna Muster', phone: '+41 44 555 12 34', email: '' },
    ...{ street: 'Bahnhofstrasse 1', postalCode: '8001', city: 'Zürich' },
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
    return { day: '2026-06-15', sections, ordered: [], onlyOwn: false, batch: null };
  };
  desk.handlers.day.visits = ({ ids }) => {
    reads.push(`visits ${ids.length}`);
    const items = [...visits.values()].flat().filter(({ summary }) => ids.includes(summary.id));
    return { items, total: items.length };
  };
  desk.handlers.day.ready = (days) => {
    reads.push('ready');
    return {
      ...days,
      ...{
        cases: 0,
        complete: 0,
        documents: 0,
        missing: [],
        checkedAt: null,
        problem: null,
        listProblem: null,
      },
      ...{ offlineSince: null, checking: false, verdict: 'unchecked' as const },
    };
  };
  await linked(desk);
  const { wrapper } = mountPage(TodayPage, desk);
  await flushPromises();
  const rows = () => wrapper.findAll('.day-case');
  const showAll = async () => {
    await buttonOf(wrapper, 'Alle 2’000 anzeigen').trigger('click');
    await flushPromises();
  };
  return { ...desk, wrapper, visits, reads, rows, showAll };
}

test('of 2,000 visits those near what is in sight exist, each with its place among all', async () => {
  const { wrapper, rows, showAll } = await openToday({ overdue: 2000, today: 12 });
  await showAll();
  expect(wrapper.get('#today-overdue').text()).toContain('2’000');
  expect(rows().length).toBeLessThan(100);
  expect(wrapper.findAll('*').length).toBeLessThan(4000);
  const first = wrapper.get('[aria-labelledby="today-overdue"] [role=listitem]');
  expect(first.attributes()).toMatchObject({ 'aria-posinset': '1', 'aria-setsize': '2000' });
}, 120_000);

test('on paper is every visit of the day', async () => {
  const { rows } = await openToday({ today: 80, tomorrow: 30, overdue: 20 });
  const drawn = rows().length;
  expect(drawn).toBeLessThan(80);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  // Of those overdue what the user has opened.
  expect(rows()).toHaveLength(80 + 30 + 5);
  window.dispatchEvent(new Event('afterprint'));
  await nextTick();
  expect(rows()).toHaveLength(drawn);
}, 120_000);

test('the print button prints every visit of the day, and all that are overdue', async () => {
  const { wrapper, rows } = await openToday({ today: 80, overdue: 20 });
  const printed: number[] = [];
  vi.stubGlobal('print', () => printed.push(rows().length));
  onTestFinished(() => void vi.unstubAllGlobals());
  await buttonOf(wrapper, 'Tagesplan drucken').trigger('click');
  await flushPromises();
  expect(printed).toEqual([80 + 20]);
});

test('a view that the shell saves as a PDF has all overdue visits by then', async () => {
  const { rows } = await openToday({ today: 80, overdue: 20 });
  // As the shell runs it in the page.
  await (new Script(completeForPaper).runInThisContext() as Promise<void>);
  window.dispatchEvent(new Event('beforeprint'));
  await nextTick();
  expect(rows()).toHaveLength(80 + 20);
});

test('a page that has nothing to complete does not keep the shell waiting', async () => {
  await (new Script(completeForPaper).runInThisContext() as Promise<void>);
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
}, 120_000);

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

test('what was typed about a visit stays in its dialog if it cannot be stored', async () => {
  const { wrapper, handlers } = await openToday({ today: 1 });
  const noted: string[] = [];
  handlers.day.setVisit = () => {
    throw new DeskError('disk_full');
  };
  await wrapper.get('[aria-label^="Zeit und Notiz"]').trigger('click');
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
    noted.push(note);
    return {};
  };
  save();
  await vi.waitFor(() => expect(noted).toEqual(['Schlüssel beim Nachbarn']));
});
