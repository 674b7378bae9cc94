import { flushPromises } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { attachmentDetailsSchema } from '#shared/photos/details.ts';
import { recognizerKey } from '#renderer/lib/scans/recognizer.ts';
import PhotosPage from '#renderer/pages/report/photos/PhotosPage.vue';
import { useVehicleMarksStore } from '#renderer/stores/vehicle-marks-store.ts';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

/** A photo of a draft. Its content is known by its name. */
const photoOf = (name: string, group?: 'front' | 'plate') => ({
  id: crypto.randomUUID(),
  fileName: name,
  contentType: 'image/jpeg',
  sizeBytes: 3,
  sha256: name,
  isSalvageSale: false,
  details: attachmentDetailsSchema.parse({ addedName: name, group }),
});

/** A desk whose draft has these photos. No picture of them is looked at. */
async function deskWithPhotos(...names: readonly string[]) {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 404 })));
  onTestFinished(() => void vi.unstubAllGlobals());
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const [caseId = ''] = desk.cases.keys();
  const draft = await desk.client.reports.createDraft({ id: caseId });
  const attachments = names.map((name) => photoOf(name));
  desk.drafts.set(draft.id, { ...draft, attachments });
  return { desk, caseId, draft, attachments };
}

test('single keys that are switched off remove no photo', async () => {
  const { desk, draft, attachments } = await deskWithPhotos('a.jpg', 'b.jpg', 'c.jpg');
  const removed: string[] = [];
  desk.handlers.reports.removeAttachment = ({ attachmentId }) => {
    removed.push(attachments.find(({ id }) => id === attachmentId)?.fileName ?? '');
    const left = desk.drafts.get(draft.id) ?? draft;
    const without = left.attachments.filter(({ id }) => id !== attachmentId);
    const changed = { ...left, attachments: without };
    desk.drafts.set(draft.id, changed);
    return changed;
  };
  const appearance = useAppearanceStore(desk.pinia);
  appearance.choose({ singleKeys: false });
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.text()).toContain('a.jpg'));
  const press = async (key: string) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await flushPromises();
  };
  await press('x');
  await press('X');
  expect(removed).toEqual([]);
  await press('Delete');
  await vi.waitFor(() => expect(removed).toEqual(['a.jpg']));
  appearance.choose({ singleKeys: true });
  await press('x');
  await vi.waitFor(() => expect(removed).toEqual(['a.jpg', 'b.jpg']));
});

test('a photo that is being removed is no longer shown, so that a second key removes the next one', async () => {
  const { desk, draft, attachments } = await deskWithPhotos('a.jpg', 'b.jpg', 'c.jpg');
  const asked: string[] = [];
  const held = Promise.withResolvers<never>();
  desk.handlers.reports.removeAttachment = ({ attachmentId }) => {
    asked.push(attachments.find(({ id }) => id === attachmentId)?.fileName ?? '');
    return held.promise;
  };
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.text()).toContain('a.jpg'));
  const press = (key: string) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  press('Delete');
  await vi.waitFor(() => expect(asked).toEqual(['a.jpg']));
  const names = () =>
    wrapper.findAll('[role=option]').map((option) => /\w\.jpg/.exec(option.text())?.[0]);
  expect(names()).toEqual(['b.jpg', 'c.jpg']);
  press('Delete');
  await flushPromises();
  expect(names()).toEqual(['c.jpg']);
  // They come back if they could not be removed.
  held.reject(new Error('the engine does not answer'));
  await vi.waitFor(() => expect(names()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']));
});

test('two quick keys move a photo by two places, and the keyboard stays on it', async () => {
  const { desk, draft } = await deskWithPhotos('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.text()).toContain('a.jpg'));
  const grid = wrapper.get('[role=listbox]');
  await grid.trigger('keydown', { key: ' ' });
  const order = () => desk.drafts.get(draft.id)?.attachments.map(({ fileName }) => fileName);
  for (let n = 0; n < 2; n += 1)
    grid.element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true }),
    );
  await vi.waitFor(() => expect(order()).toEqual(['b.jpg', 'c.jpg', 'a.jpg', 'd.jpg']));
  await flushPromises();
  expect(grid.attributes('aria-activedescendant')).toBe('photo-2');
});

test('a photo that is selected before two quick keys are stored stays where it is, with the keyboard', async () => {
  const { desk, draft } = await deskWithPhotos('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.text()).toContain('a.jpg'));
  const grid = wrapper.get('[role=listbox]');
  await grid.trigger('keydown', { key: ' ' });
  const order = () => desk.drafts.get(draft.id)?.attachments.map(({ fileName }) => fileName);
  for (let n = 0; n < 2; n += 1)
    grid.element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true }),
    );
  wrapper.findAll<HTMLElement>('[role=option]')[1]?.element.click();
  await vi.waitFor(() => expect(order()).toEqual(['b.jpg', 'c.jpg', 'a.jpg', 'd.jpg']));
  await flushPromises();
  expect(grid.attributes('aria-activedescendant')).toBe('photo-0');
  const [first] = wrapper.findAll('[role=option]');
  expect(first?.attributes('aria-selected')).toBe('true');
});

test('a code in a caption becomes the text of its block with the values of the case', async () => {
  const { desk, caseId, draft } = await deskWithPhotos('a.jpg');
  const { externalKey } = await desk.client.cases.get({ id: caseId });
  const texts = [
    { id: crypto.randomUUID(), name: 'Stone chip', text: 'Stone chip,\ncase {key}' },
    { id: crypto.randomUUID(), name: 'long', text: 'x'.repeat(301) },
  ];
  await desk.client.texts.save({ blocks: texts });
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.find('textarea').exists()).toBe(true));
  await flushPromises();
  const caption = wrapper.get<HTMLTextAreaElement>('textarea');
  await caption.setValue('Front: /stonechip');
  expect(caption.element.value).toBe('Front: /stonechip');
  await caption.setValue('Front: /stonechip ');
  expect(caption.element.value).toBe(`Front: Stone chip, case ${externalKey} `);
  await caption.setValue('/long ');
  expect(caption.element.value).toBe('/long ');
  expect(wrapper.get('[role="alert"]').text()).toContain('300');
});

test('a number of a vehicle in a photo is compared with the case, and taken into the caption', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('jpeg')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const desk = createDesk({ count: 1 });
  const read: [size: number, withWords: boolean][] = [];
  desk.app.provide(recognizerKey, {
    read: () => Promise.reject(new Error('no page is read')),
    readPicture(content, withWords) {
      read.push([content.size, withWords]);
      const codes = ['WVWZZZ1KZAW123456'];
      const lines = [
        [
          { text: 'BE', confidence: 95 },
          { text: '987654', confidence: 95 },
        ],
      ];
      return Promise.resolve({ codes, lines: withWords ? lines : [] });
    },
    rest: () => undefined,
  });
  // The store takes the recognizer of this app, and the page another app.
  useVehicleMarksStore(desk.pinia);
  await linked(desk);
  const [detail] = desk.cases.values();
  if (!detail) throw new Error('no case was made');
  const insured = { vin: 'WVW ZZZ 1KZ AW 123456', licensePlate: 'ZH 123 456' };
  desk.cases.set(detail.id, { ...detail, payload: { insured } });
  const draft = await desk.client.reports.createDraft({ id: detail.id });
  const attachments = [photoOf('plate.jpg', 'plate'), photoOf('front.jpg', 'front')];
  desk.drafts.set(draft.id, { ...draft, attachments });
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() =>
    expect(read).toEqual([
      [4, true],
      [4, false],
    ]),
  );
  await flushPromises();
  const finds = () =>
    wrapper
      .findAll('[aria-label="Nummern des Fahrzeugs auf dem Foto"] li')
      .map((one) => one.text());
  expect(finds()).toEqual([
    'Fahrgestellnummer wie im Fall: WVWZZZ1KZAW123456In die Legende',
    'Kontrollschild anders als im Fall: BE 987 654In die Legende',
  ]);
  const caption = wrapper.get<HTMLTextAreaElement>('textarea');
  expect(caption.element.value).toBe('');
  await wrapper.get('[aria-label="BE 987 654 in die Legende"]').trigger('click');
  expect(caption.element.value).toBe('Kontrollschild BE 987 654');
  expect(finds()[1]).toBe('Kontrollschild anders als im Fall: BE 987 654');
});

test('a photo that was not looked at yet is turned as often as R is pressed', async () => {
  const { desk, draft } = await deskWithPhotos('a.jpg');
  const { wrapper } = mountPage(PhotosPage, desk, { draftId: draft.id });
  await vi.waitFor(() => expect(wrapper.text()).toContain('a.jpg'));
  const press = () =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
  const turns = () => desk.drafts.get(draft.id)?.attachments[0]?.details.edit?.turns;
  press();
  press();
  await vi.waitFor(() => expect(turns()).toBe(2));
  press();
  await vi.waitFor(() => expect(turns()).toBe(3));
  await useUndoStore(desk.pinia).undo();
  await vi.waitFor(() => expect(turns()).toBe(2));
});
