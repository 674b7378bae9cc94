import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import CaseChecklist from '#renderer/pages/case/CaseChecklist.vue';
import CaseComment from '#renderer/pages/case/CaseComment.vue';
import ChecklistSettings from '#renderer/pages/settings/ChecklistSettings.vue';
import TextSettings from '#renderer/pages/settings/TextSettings.vue';
import { useTextsStore } from '#renderer/stores/texts-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const block = { id: crypto.randomUUID(), name: 'Besuch', text: '{key}: mit {party} besichtigt.' };

test('a text block is found by its text and inserted at the cursor, by the keyboard', async () => {
  const desk = createDesk({ count: 1 });
  const [detail] = desk.cases.values();
  if (!detail) throw new Error('a case is there');
  await desk.client.texts.save({
    blocks: [block, { id: crypto.randomUUID(), name: 'Anderes', text: 'anders' }],
  });
  const { wrapper } = mountPage(CaseComment, desk, { detail, locked: false });
  await flushPromises();
  const field = wrapper.get('textarea');
  await field.setValue('vorher nachher');
  field.element.setSelectionRange(7, 7);
  await field.trigger('keydown', { key: 'b', ctrlKey: true });
  const search = await vi.waitUntil(() =>
    document.querySelector<HTMLInputElement>('input[role=combobox]'),
  );
  search.value = 'besicht';
  search.dispatchEvent(new Event('input'));
  await flushPromises();
  expect(document.querySelectorAll('[role=option]')).toHaveLength(1);
  search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  await flushPromises();
  const inserted = `${detail.externalKey}: mit ${detail.partyName} besichtigt.`;
  expect(field.element.value).toBe(`vorher ${inserted}nachher`);
  // It is typed, and nothing of it is queued.
  expect(desk.queue).toEqual([]);
});

test('text blocks are removed with a way back, and a file that cannot be read changes nothing', async () => {
  const desk = createDesk({ count: 1 });
  await desk.client.texts.save({ blocks: [block] });
  const { wrapper } = mountPage(TextSettings, desk);
  await flushPromises();
  const remove = '[aria-label="Entfernen: Besuch"]';
  await wrapper.get(remove).trigger('click');
  await flushPromises();
  expect(wrapper.find(remove).exists()).toBe(false);
  await useUndoStore(desk.pinia).undo();
  await flushPromises();
  expect(wrapper.find(remove).exists()).toBe(true);

  const give = async (content: string | null) => {
    const picker = wrapper.get<HTMLInputElement>('input[type=file]');
    const held = () => Promise.reject(new DOMException('', 'NotReadableError'));
    const text = () => (content === null ? held() : Promise.resolve(content));
    const file = { name: 'texte.json', text };
    Object.defineProperty(picker.element, 'files', { value: [file], configurable: true });
    await picker.trigger('change');
    await flushPromises();
  };
  const exported = await useTextsStore(desk.pinia).exportFile();
  await give(null);
  expect(wrapper.get('[role=alert]').text()).toContain('«texte.json» lässt sich nicht lesen');
  await give(exported.replaceAll('{party}', '{nobody}'));
  expect(wrapper.get('[role=alert]').text()).toContain('«Besuch» hat in Zeile 1 ein Feld');
  expect(wrapper.findAll('li')).toHaveLength(1);
  await give(exported.replaceAll('Besuch', 'Besichtigung'));
  expect(wrapper.text()).toContain('1 neuer Textbaustein.');
  expect(wrapper.findAll('li')).toHaveLength(2);
});

test('a checklist is ticked in its case, keeps its ticks when it is edited, and shows what failed', async () => {
  const desk = createDesk({ count: 2 });
  const [caseId = '', other = ''] = desk.cases.keys();
  const { wrapper } = mountPage(CaseChecklist, desk, { caseId, category: 'vehicle' });
  await flushPromises();
  const boxes = () => wrapper.findAll<HTMLInputElement>('input');
  const tick = async (index: number) => {
    await boxes()[index]?.setValue(true);
    await flushPromises();
  };
  await tick(0);
  await tick(1);
  expect(wrapper.get('[role=status]').text()).toBe('2 von 7');
  desk.handlers.texts.tick = () => {
    throw new DeskError('disk_full');
  };
  await tick(2);
  expect(
    boxes()
      .map(({ element }) => element.checked)
      .filter(Boolean),
  ).toHaveLength(2);
  expect(wrapper.get('[role=alert]').text()).toContain('voll');
  await wrapper.setProps({ caseId: other });
  await flushPromises();
  expect(wrapper.get('[role=status]').text()).toBe('0 von 7');

  const settings = mountPage(ChecklistSettings, desk).wrapper;
  await flushPromises();
  const field = settings.get('textarea');
  const lines = field.element.value.split('\n');
  await field.setValue(['Anhängerkupplung', ' ', ...lines.slice(1)].join('\n'));
  await settings.get('.actions button').trigger('click');
  await flushPromises();
  await wrapper.setProps({ caseId });
  await flushPromises();
  expect(wrapper.get('[role=status]').text()).toBe('1 von 7');
  expect(wrapper.text()).toContain('Anhängerkupplung');
  await useUndoStore(desk.pinia).undo();
  await flushPromises();
  expect(wrapper.get('[role=status]').text()).toBe('2 von 7');
});
