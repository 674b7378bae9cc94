import { flushPromises } from '@vue/test-utils';
import { describe, expect, test, vi } from 'vitest';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import type { SuggestedTotal } from '#shared/desk/reports/documents.ts';
import { showLanguage } from '#renderer/i18n/create-i18n.ts';
import CaseAmounts from '#renderer/pages/case/CaseAmounts.vue';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const none = { costEstimateRappen: null, approvedRappen: null, savingsRappen: null };

/** The amounts of a case that has none but these. */
function mountAmounts(change: Partial<CaseDetail> = {}) {
  const desk = createDesk({ count: 1 });
  const [found] = desk.cases.values();
  if (!found) throw new Error('no case was made');
  const detail = { ...found, ...none, server: { ...found.server, ...none }, ...change };
  desk.cases.set(detail.id, detail);
  const { wrapper: view, i18n } = mountPage(CaseAmounts, desk, { detail, locked: false });
  const [estimate, approved] = view.findAll('input');
  if (!estimate || !approved) throw new Error('the fields are missing');
  const button = () => view.findAll('button').find((one) => one.text().includes('speichern'));
  const save = async () => {
    await button()?.trigger('click');
    await flushPromises();
  };
  return { desk, detail, view, estimate, approved, button, save, i18n };
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

  test('an amount that is stored is not unsaved in another format or language', async () => {
    const { view, estimate, i18n } = mountAmounts({ costEstimateRappen: 123_450 });
    const isUnsaved = () => view.find('.save button').exists();
    await estimate.setValue('1300');
    expect(isUnsaved()).toBe(true);
    await estimate.setValue('1234.5');
    expect(isUnsaved()).toBe(false);
    await estimate.trigger('blur');
    expect(estimate.element.value).toBe('1’234.50');
    await showLanguage(i18n, 'fr');
    await flushPromises();
    expect(isUnsaved()).toBe(false);
  });

  test('two quick presses queue the amounts once', async () => {
    const { desk, estimate, save } = mountAmounts();
    await estimate.setValue('4200');
    const saved = vi.spyOn(desk.handlers.cases, 'setAmounts');
    const late = desk.holdAnswer('cases.setAmounts');
    await save();
    await late.made;
    await save();
    await estimate.trigger('keydown', { key: 's', ctrlKey: true });
    await flushPromises();
    late.release();
    const edits = useEditsStore(desk.pinia);
    await vi.waitFor(() => expect(edits.edits.size).toBe(0));
    await flushPromises();
    expect(saved).toHaveBeenCalledOnce();
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
      documentId: crypto.randomUUID(),
      fileName: 'Offerte.pdf',
      page: 2,
      rappen: 796_350,
      label: 'Total inkl. MWST',
      rank: 0,
      box,
      isRecognized: true,
      currency: 'CHF',
      isBill: false,
      reference: '',
    };
    const again = { ...total, fileName: 'Rechnung.pdf' };
    desk.handlers.documents.totals = () => ({ items: [total, again], total: 2 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    const offered = view.findAll('li');
    expect(offered.map((one) => one.text().replaceAll(/\s+/g, ' '))).toEqual([
      'CHF 7’963.50Total inkl. MWST · Offerte.pdf, Seite 2 (erkannter Text)In «Kostenvoranschlag oder Offerte» übernehmen',
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

  test('the amount of a QR-bill says whose it is, and what it equals', async () => {
    const { desk, detail, view, estimate } = mountAmounts();
    const box = { left: 0.3, top: 0.7, width: 0.2, height: 0.15 };
    const inText: SuggestedTotal = {
      documentId: crypto.randomUUID(),
      fileName: 'Rechnung.pdf',
      page: 1,
      rappen: 796_350,
      label: 'Total inkl. MWST',
      rank: 0,
      box,
      isRecognized: false,
      currency: 'CHF',
      isBill: false,
      reference: '',
    };
    const bill = {
      ...inText,
      page: 2,
      label: 'Garage Müller',
      isBill: true,
      reference: 'RF18 5390 0754 7034',
    };
    const other = {
      ...bill,
      rappen: 790_000,
      currency: 'EUR' as const,
      documentId: crypto.randomUUID(),
    };
    desk.handlers.documents.totals = () => ({ items: [bill, other, inText], total: 3 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    const offered = () =>
      view.findAll('li').map((one) => one.text().replaceAll(/[\s\u00a0]+/g, ' '));
    const words = 'Garage Müller · RF18 5390 0754 7034 · Rechnung.pdf, Seite 2';
    expect(offered()).toEqual([
      `CHF 7’963.50aus der QR-Rechnung${words} gleich wie das Total im TextIn «Kostenvoranschlag oder Offerte» übernehmen`,
      `EUR 7’900.00aus der QR-Rechnung${words}`,
    ]);
    // What is entered stays compared, and is not offered again.
    await estimate.setValue('7963.50');
    expect(offered()[0]).toBe(
      `CHF 7’963.50aus der QR-Rechnung${words} gleich wie das Total im Text, gleich wie «Kostenvoranschlag oder Offerte»`,
    );
    const differing = { ...inText, rappen: 800_000 };
    desk.handlers.documents.totals = () => ({ items: [bill, differing], total: 2 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    expect(offered()[0]).toContain('anders als das Total im Text (CHF 8’000.00)');
  });

  test('a total stands under the field that it fills, shows what it replaces, and is taken back', async () => {
    const { desk, detail, view, estimate, approved } = mountAmounts({
      costEstimateRappen: 100_000,
    });
    const box = { left: 0.8, top: 0.4, width: 0.1, height: 0.01 };
    const total: SuggestedTotal = {
      documentId: crypto.randomUUID(),
      fileName: 'Offerte.pdf',
      page: 2,
      rappen: 796_350,
      label: 'Total',
      rank: 0,
      box,
      isRecognized: false,
      currency: 'CHF',
      isBill: false,
      reference: '',
    };
    desk.handlers.documents.totals = () => ({ items: [total], total: 1 });
    await useDocumentsStore(desk.pinia).load(detail.id);
    await flushPromises();
    const undos = useUndoStore(desk.pinia);
    const take = () => view.findAll('button').filter((one) => one.text().startsWith('In «'));
    const shown = () => [estimate.element.value, approved.element.value];

    // Under the assessed amount is nothing that could be meant for it.
    await approved.setValue('900.00');
    const block = view.get('.estimate');
    expect(block.element.contains(estimate.element)).toBe(true);
    expect(block.element.contains(approved.element)).toBe(false);
    expect(take().map((one) => block.element.contains(one.element))).toEqual([true]);
    expect(block.get('li').text().replaceAll('\u00a0', ' ')).toContain('ersetzt CHF 1’000.00');
    expect(take()[0]?.attributes('aria-label')?.replaceAll('\u00a0', ' ')).toBe(
      'CHF 7’963.50 in «Kostenvoranschlag oder Offerte» übernehmen, ersetzt CHF 1’000.00',
    );

    await take()[0]?.trigger('click');
    expect(shown()).toEqual(['7’963.50', '900.00']);
    await undos.undo();
    expect(shown()).toEqual(['1’000.00', '900.00']);
    await flushPromises();
    // What was typed before comes back, too.
    await estimate.setValue('55.00');
    await take()[0]?.trigger('click');
    await undos.undo();
    expect(shown()).toEqual(['55.00', '900.00']);
    // What is typed since stays.
    await take()[0]?.trigger('click');
    await estimate.setValue('66.00');
    await undos.undo();
    expect(shown()).toEqual(['66.00', '900.00']);
  });

  test('an assessed amount that was worked out leaves the estimate alone, and is taken back', async () => {
    const { desk, view, estimate, approved } = mountAmounts();
    await estimate.setValue('1000.00');
    (view.vm as unknown as { assess: (rappen: number) => void }).assess(90_000);
    await flushPromises();
    expect([estimate.element.value, approved.element.value]).toEqual(['1000.00', '900.00']);
    await useUndoStore(desk.pinia).undo();
    expect([estimate.element.value, approved.element.value]).toEqual(['1000.00', '']);
  });

  test('a total in another currency is shown with it, after the francs, and is not to be taken', async () => {
    const { desk, detail, view } = mountAmounts({ costEstimateRappen: 119_000 });
    const box = { left: 0.8, top: 0.4, width: 0.1, height: 0.01 };
    const total: SuggestedTotal = {
      documentId: crypto.randomUUID(),
      fileName: 'Konstanz.pdf',
      page: 1,
      rappen: 119_000,
      label: 'Gesamtbetrag',
      rank: 1,
      box,
      isRecognized: false,
      currency: 'EUR',
      isBill: false,
      reference: '',
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
});
