import { flushPromises } from '@vue/test-utils';
import { describe, expect, test } from 'vitest';
import type { CaseDetail } from '#shared/desk/cases.ts';
import type { SuggestedTotal } from '#shared/desk/documents.ts';
import CaseAmounts from '#renderer/pages/case/CaseAmounts.vue';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';

const none = { costEstimateRappen: null, approvedRappen: null, savingsRappen: null };

/** The amounts of a case that has none but these. */
function mountAmounts(change: Partial<CaseDetail> = {}) {
  const desk = createDesk({ count: 1 });
  const [found] = desk.cases.values();
  if (!found) throw new Error('no case was made');
  const detail = { ...found, ...none, server: { ...found.server, ...none }, ...change };
  desk.cases.set(detail.id, detail);
  const { wrapper: view } = mountPage(CaseAmounts, desk, { detail, locked: false });
  const [estimate, approved] = view.findAll('input');
  if (!estimate || !approved) throw new Error('the fields are missing');
  const button = () => view.findAll('button').find((one) => one.text().includes('speichern'));
  const save = async () => {
    await button()?.trigger('click');
    await flushPromises();
  };
  return { desk, detail, view, estimate, approved, button, save };
}

describe('amounts', () => {
  test('typing works out the saving in Rappen and tidies to the Swiss format', async () => {
    const { desk, view, estimate, approved, save } = mountAmounts();
    await estimate.setValue("12'345.6");
    await approved.setValue('12345.50');
    expect(view.text().replaceAll('\u00a0', ' ')).toContain('CHF 0.10');
    await estimate.trigger('blur');
    expect(estimate.element.value).toBe('12’345.60');
    await save();
    expect(desk.queue.map(({ act }) => act)).toEqual([
      { kind: 'amounts', costEstimateRappen: 1_234_560, approvedRappen: 1_234_550 },
    ]);
  });

  test.each(["12'345.60\t9'000.00", '12\r\n345', '4200\n\n3100'])(
    'the cells %j are not joined to one amount, and the field shows it',
    async (pasted) => {
      const { view, estimate } = mountAmounts();
      await estimate.setValue('100');
      const event = new Event('paste', { bubbles: true, cancelable: true });
      Object.assign(event, { clipboardData: { getData: () => `${pasted}\r\n` } });
      estimate.element.dispatchEvent(event);
      await flushPromises();
      expect(event.defaultPrevented).toBe(true);
      expect(estimate.element.value).toBe('100');
      expect(view.find('.v-messages').text()).toContain('Mehrere Zellen kopiert');
      await estimate.setValue('4200');
      expect(view.text()).not.toContain('Mehrere Zellen kopiert');
    },
  );

  test.each([
    ['12,345.678', 'Kein gültiger Betrag'],
    ['-5', 'nicht negativ'],
    ['1.234', 'zwei Stellen'],
    ['1000000000', '999’999’999.99'],
  ])('%s is refused under the field, and cannot be saved', async (text, rule) => {
    const { desk, view, estimate, button } = mountAmounts();
    await estimate.setValue(text);
    expect(view.find('.v-messages').text()).toContain(rule);
    expect(button()?.attributes('disabled')).toBeDefined();
    await estimate.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(desk.queue).toEqual([]);
    expect(estimate.element.value).toBe(text);
  });

  test('a total of a document is offered with its place, and taken by the user alone', async () => {
    const { desk, detail, view, estimate } = mountAmounts();
    const box = { left: 0.8, top: 0.4, width: 0.1, height: 0.01 };
    const total: SuggestedTotal = {
      ...{ documentId: crypto.randomUUID(), fileName: 'Offerte.pdf', page: 2, rappen: 796_350 },
      ...{ label: 'Total inkl. MWST', rank: 0, box, isRecognized: true, currency: 'CHF' },
    };
    const again = { ...total, fileName: 'Rechnung.pdf' };
    desk.handlers.documents.totals = () => ({ items: [total, again], total: 2 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    const offered = view.findAll('li');
    expect(offered.map((one) => one.text().replaceAll(/\s+/g, ' '))).toEqual([
      'CHF 7’963.50Total inkl. MWST · Offerte.pdf, Seite 2 (erkannter Text)Übernehmen',
    ]);
    expect(estimate.element.value).toBe('');
    const [show, take] = offered[0]?.findAll('button') ?? [];
    await show?.trigger('click');
    expect(view.emitted('show')).toEqual([[total]]);
    expect(estimate.element.value).toBe('');
    await take?.trigger('click');
    expect(estimate.element.value).toBe('7’963.50');
    expect(view.find('li').exists()).toBe(false);
    // It is typed, not saved.
    expect(desk.queue).toEqual([]);
    await view.setProps({ locked: true });
    await estimate.setValue('');
    expect(view.find('li').exists()).toBe(false);
  });

  test('a total in another currency is shown with it, after the francs, and is not to be taken', async () => {
    const { desk, detail, view } = mountAmounts({ costEstimateRappen: 119_000 });
    const box = { left: 0.8, top: 0.4, width: 0.1, height: 0.01 };
    const total: SuggestedTotal = {
      ...{ documentId: crypto.randomUUID(), fileName: 'Konstanz.pdf', page: 1, rappen: 119_000 },
      ...{ label: 'Gesamtbetrag', rank: 1, box, isRecognized: false, currency: 'EUR' },
    };
    const inFrancs: SuggestedTotal = { ...total, currency: 'CHF', rappen: 112_000 };
    desk.handlers.documents.totals = () => ({ items: [total, inFrancs], total: 2 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    const offered = view.findAll('li');
    expect(offered.map((one) => one.text().slice(0, 12).replaceAll(/\s+/g, ' '))).toEqual([
      'CHF 1’120.00',
      'EUR 1’190.00',
    ]);
    expect(offered.map((one) => one.findAll('button').length)).toEqual([2, 1]);
  });

  test.each([
    ['vehicle', 'Kostenvoranschlag'],
    ['appraiser', 'Kostenvoranschlag oder Offerte'],
    ['fraud', 'Geforderter Betrag'],
    ['special', 'Kostenvoranschlag'],
    ['a new one', 'Kostenvoranschlag'],
  ])('the first amount of category %s is labelled %s', (category, label) => {
    expect(mountAmounts({ category }).view.find('label').text()).toBe(label);
  });

  test('an emptied field clears the value', async () => {
    const { desk, estimate, save } = mountAmounts({ costEstimateRappen: 1000 });
    await estimate.setValue('');
    await save();
    expect(desk.queue.map(({ act }) => act)).toEqual([
      { kind: 'amounts', costEstimateRappen: null, approvedRappen: null },
    ]);
  });

  test('a change from elsewhere does not overwrite what is being typed', async () => {
    const { detail, view, estimate } = mountAmounts();
    await estimate.setValue('77');
    await view.setProps({ detail: { ...detail, costEstimateRappen: 9900 } });
    expect(estimate.element.value).toBe('77');
  });

  test('what is typed while an amount is being saved stays', async () => {
    const { desk, view, detail, estimate, button } = mountAmounts();
    const saved = desk.hold('cases.setAmounts');
    await estimate.setValue('77');
    await button()?.trigger('click');
    await estimate.setValue('78');
    await saved();
    await flushPromises();
    await view.setProps({ detail: { ...detail, costEstimateRappen: 7700 } });
    expect(estimate.element.value).toBe('78');
  });

  test('a value changed at the insurer is decided where it was typed', async () => {
    const { desk, view, estimate, save } = mountAmounts();
    await estimate.setValue('8000');
    await save();
    const act = { costEstimateRappen: 800_000, approvedRappen: null };
    const found = {
      field: 'costEstimateRappen',
      seen: null,
      found: 1_234_560,
      mine: 800_000,
    } as const;
    desk.changeItem(1, {
      state: 'attention',
      problem: { code: 'server_value_changed', params: { ...found } },
      conflicts: [{ ...found, by: 'colleague', noticedAt: '2026-06-15T08:00:00Z' }],
    });
    await useQueueStore(desk.pinia).load();
    const problem = view.get('.note[role=alert]').text().replaceAll('\u00a0', ' ');
    for (const part of ['Ihrer Organisation', 'CHF 12’345.60', 'CHF 8’000.00', 'Stand 15.06.2026'])
      expect(problem).toContain(part);
    await buttonOf(view, 'Meinen Wert senden').trigger('click');
    await flushPromises();
    expect(desk.queue).toMatchObject([{ state: 'waiting', act: { kind: 'amounts', ...act } }]);
    expect(view.find('.note[role=alert]').exists()).toBe(false);
  });
});
