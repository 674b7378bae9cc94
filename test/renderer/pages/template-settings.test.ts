import { flushPromises } from '@vue/test-utils';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Template } from '#shared/desk/reports/templates.ts';
import type {
  PageBlock,
  PageLine,
  PagePiece,
  TemplateVersion,
} from '#shared/desk/reports/template-workshop.ts';
import AppraiserSettings from '#renderer/pages/settings/AppraiserSettings.vue';
import TemplateDialog from '#renderer/pages/settings/TemplateDialog.vue';
import type { LookedTemplate } from '#renderer/pages/settings/looked-template.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

const lookId = '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10';
const own: Template = {
  id: 't',
  source: 'own',
  name: 'Gutachten',
  language: 'de',
  category: null,
  fileName: 'Gutachten.docx',
  sizeBytes: 1,
  addedAt: '2026-11-27T10:00:00Z',
  version: 2,
  findings: [],
  problem: null,
};
const sound: LookedTemplate = { name: 'G', lookId, template: own, findings: [], removed: [] };
const faulty: LookedTemplate = {
  name: 'Brief.docx',
  lookId,
  template: null,
  removed: ['comments'],
  findings: [
    {
      fault: 'unknown',
      field: '{insured.nmae}',
      part: 'document',
      near: 'Sehr geehrte {insured.nmae}',
      reason: null,
      place: { heading: 'Schaden', table: 2, row: 3 },
      suggestion: 'insured.name',
    },
  ],
};
const line = (text: string, kind: PagePiece['kind']): PageLine => ({
  kind: 'line',
  style: 'text',
  pieces: [{ kind, text }],
});
const blocks: PageBlock[] = [
  line('{insured.nmae}', 'fault'),
  { kind: 'table', rows: [[[line('Name', 'text')], [line('Adresse', 'text')]]] },
];

function mountDialog(looked: LookedTemplate, versions: TemplateVersion[] = []) {
  const desk = createDesk({ count: 1 });
  const calls: unknown[] = [];
  desk.handlers.templates.page = () => Promise.resolve({ hasPages: false, problem: null, blocks });
  desk.handlers.templates.versions = () =>
    Promise.resolve({ items: versions, total: versions.length });
  desk.handlers.templates.look = () => Promise.resolve(sound);
  desk.handlers.templates.takeVersion = (input) => {
    calls.push(input);
    return Promise.resolve(own);
  };
  desk.handlers.templates.removeUnseen = (input) => {
    calls.push(input);
    return Promise.resolve(sound);
  };
  desk.handlers.templates.change = (input) => {
    calls.push(input);
    return Promise.resolve(own);
  };
  const { wrapper } = mountPage(TemplateDialog, desk, { looked, modelValue: true });
  const dialog = () => document.querySelector<HTMLElement>('[role=dialog]');
  const text = () => dialog()?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  const press = async (name: string) => {
    const found = [...(dialog()?.querySelectorAll('button') ?? [])].find(
      (one) => one.textContent.trim() === name,
    );
    if (!found) throw new Error(`no button ${name}`);
    found.click();
    await flushPromises();
  };
  return { wrapper, dialog, text, press, calls };
}
afterEach(() => document.body.replaceChildren());

describe('a template with faults', () => {
  test('is shown filled beside its faults, each with its place and what is meant', async () => {
    const { dialog, text } = mountDialog(faulty);
    await flushPromises();
    expect(dialog()?.querySelector('mark')?.textContent).toBe('{insured.nmae}');
    expect([...(dialog()?.querySelectorAll('td') ?? [])].map((one) => one.textContent)).toEqual([
      'Name',
      'Adresse',
    ]);
    expect(text()).toContain('Gemeint ist wohl {insured.name}.');
    expect(text()).toContain('unter «Schaden», Tabelle 2, Zeile 3: Sehr geehrte {insured.nmae}');
    expect(text()).toContain('Kommentare');
    expect(text()).not.toContain('Aus der Vorlage entfernen');
  });
});

describe('a stored template', () => {
  test('is named, and keeps what was typed', async () => {
    const { press, calls, wrapper } = mountDialog(sound);
    await flushPromises();
    await press('Speichern');
    expect(calls).toEqual([{ templateId: 't', name: 'Gutachten', language: 'de', category: null }]);
    expect(wrapper.emitted('update:modelValue')).toEqual([[false]]);
  });

  test('offers an earlier version, and to remove what no report shows', async () => {
    const version = (n: number, isCurrent: boolean) => ({
      version: n,
      fileName: 'G.docx',
      sizeBytes: 1,
      addedAt: '2026-11-27T10:00:00Z',
      isCurrent,
    });
    const removed = ['comments'] as const;
    const versions = [version(2, true), version(1, false)];
    const { press, calls, wrapper, text } = mountDialog(
      { ...sound, removed: [...removed] },
      versions,
    );
    await flushPromises();
    expect(text()).toMatch(/Version 2.*in Gebrauch.*Version 1.*Wieder verwenden/);
    await press('Wieder verwenden');
    await press('Aus der Vorlage entfernen');
    expect(calls).toEqual([{ templateId: 't', version: 1 }, { templateId: 't' }]);
    expect(wrapper.emitted('look')).toHaveLength(2);
  });
});

describe('the card of the appraiser', () => {
  const picture = 'data:image/png;base64,iVBORw0KGgo=';
  function mountCard(stored: string | null) {
    const desk = createDesk({ count: 1 });
    const appraiser = { name: 'Ada', office: '', address: '', phone: '', email: '' };
    desk.handlers.templates.appraiser = () => Promise.resolve(appraiser);
    desk.handlers.templates.signature = () => Promise.resolve({ picture: stored });
    const remove = vi.fn(() => Promise.resolve({ picture: null }));
    desk.handlers.templates.removeSignature = remove;
    return { ...mountPage(AppraiserSettings, desk), remove };
  }

  test('shows the signature, and removes it', async () => {
    const { wrapper, remove } = mountCard(picture);
    await flushPromises();
    expect(wrapper.get('img').attributes('src')).toBe(picture);
    expect(wrapper.get('input').element.value).toBe('Ada');
    await buttonOf(wrapper, 'Unterschrift entfernen').trigger('click');
    await flushPromises();
    expect(remove).toHaveBeenCalledOnce();
    expect(wrapper.find('img').exists()).toBe(false);
    expect(wrapper.text()).toMatch(/keine Unterschrift/i);
  });

  test('refuses a picture with its reason, and keeps the one that is there', async () => {
    const { wrapper } = mountCard(picture);
    await flushPromises();
    const picker = wrapper.get<HTMLInputElement>('input[type=file]');
    const chosen = [new File(['x'], 'a.png', { type: 'image/png' })];
    Object.defineProperty(picker.element, 'files', { value: chosen });
    await picker.trigger('change');
    await flushPromises();
    expect(wrapper.find('[role=alert]').exists()).toBe(true);
    expect(wrapper.get('img').attributes('src')).toBe(picture);
  });
});
