import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import ActDialog from '#renderer/components/common/ActDialog.vue';
import ReportPage from '#renderer/pages/report/ReportPage.vue';
import { useCaptionsStore } from '#renderer/stores/captions-store.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';

/** The page of a draft with these files. */
async function openReport(...names: string[]) {
  const desk = createDesk({ count: 1 });
  for (const [id, detail] of desk.cases) desk.cases.set(id, { ...detail, status: 'InProgress' });
  const reports = useReportsStore(desk.pinia);
  const files = useDraftFilesStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  const { id } = await reports.createDraft(caseId);
  await files.addFiles(
    id,
    names.map((name) => new File([name], name)),
  );
  const show = async () => {
    const mounted = mountPage(ReportPage, desk, { draftId: id });
    await flushPromises();
    return mounted;
  };
  const { wrapper, router } = await show();
  const button = (text: string) => buttonOf(wrapper, text);
  return { desk, files, id, show, wrapper, router, button };
}

test('a report waits for work on its files, and names it', async () => {
  const { files, id, wrapper, button } = await openReport('a.txt');
  const queue = () => button('Bericht einreichen').attributes('disabled');
  expect(queue()).toBeUndefined();
  for (const [work, sentence] of [
    ['photos', 'Fotos werden noch bearbeitet.'],
    ['names', 'Dateien werden noch umbenannt.'],
  ] as const) {
    const { promise: end, resolve } = Promise.withResolvers<undefined>();
    const done = files.during(id, work, () => end);
    await flushPromises();
    expect(queue()).toBeDefined();
    expect(button('Werkzeuge').attributes('disabled')).toBeDefined();
    expect(wrapper.text()).toContain(sentence);
    resolve(undefined);
    await done;
    await flushPromises();
    expect(queue()).toBeUndefined();
    expect(wrapper.text()).not.toContain(sentence);
  }
});

test('Ctrl+Enter queues the report as the button does: once, and only if nothing is missing', async () => {
  const { desk, files, id } = await openReport('a.txt');
  const press = async () => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true });
    (document.querySelector('textarea') ?? document.body).dispatchEvent(event);
    await flushPromises();
  };
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const work = files.during(id, 'names', () => end);
  await press();
  expect(desk.queue).toEqual([]);
  resolve(undefined);
  await work;
  await flushPromises();
  const submit = desk.hold('reports.submitDraft');
  await press();
  await press();
  await submit();
  await vi.waitFor(() => expect(desk.drafts.get(id)?.queueId).toBe(1));
  await press();
  expect(desk.queue).toHaveLength(1);
});

test('a name that is still being typed is sent with the report', async () => {
  const { desk, id, wrapper } = await openReport('a.txt');
  const field = wrapper.get<HTMLInputElement>('[data-part=name]');
  field.element.focus();
  await field.setValue('Neu.txt');
  const release = desk.hold('reports.updateAttachment');
  field.element.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }),
  );
  await flushPromises();
  expect(desk.queue).toEqual([]);
  await release();
  await vi.waitFor(() => expect(desk.queue).toHaveLength(1));
  expect(desk.drafts.get(id)?.attachments[0]?.fileName).toBe('Neu.txt');
});

test('a caption that is still on its way is sent with the report', async () => {
  const { desk, files, id, button } = await openReport('a.txt');
  const release = desk.hold('reports.updateAttachment');
  const [file] = files.filesOf(id);
  useCaptionsStore(desk.pinia).setCaption(id, [file?.id ?? ''], 'Tür links');
  await button('Bericht einreichen').trigger('click');
  await flushPromises();
  expect(desk.queue).toEqual([]);
  await release();
  await vi.waitFor(() => expect(desk.queue).toHaveLength(1));
  expect(desk.drafts.get(id)?.attachments[0]?.details.caption).toBe('Tür links');
});

test('two quick keys move a file by two places, and the focus with it', async () => {
  const { desk, id, wrapper } = await openReport('a.txt', 'b.txt', 'c.txt');
  const order = () => desk.drafts.get(id)?.attachments.map(({ fileName }) => fileName);
  wrapper.findAll<HTMLInputElement>('[data-part=name]')[0]?.element.focus();
  for (let n = 0; n < 2; n += 1)
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true }),
    );
  await vi.waitFor(() => expect(order()).toEqual(['b.txt', 'c.txt', 'a.txt']));
  const names = () => wrapper.findAll<HTMLInputElement>('[data-part=name]');
  await vi.waitFor(() => expect(document.activeElement).toBe(names()[2]?.element));
  expect(names()[2]?.element.value).toBe('a.txt');
});

test('an arrow moves to the same part of the next file, and stays at the end', async () => {
  const { wrapper } = await openReport('a.txt', 'b.txt', 'c.txt');
  const boxes = wrapper
    .findAll<HTMLInputElement>('ol [type=checkbox]')
    .map(({ element }) => element);
  const arrow = (key: string, more = {}) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    );
  boxes[0]?.focus();
  arrow('ArrowDown');
  expect(document.activeElement).toBe(boxes[1]);
  arrow('ArrowUp', { shiftKey: true });
  expect(document.activeElement).toBe(boxes[1]);
  arrow('ArrowDown');
  arrow('ArrowDown');
  expect(document.activeElement).toBe(boxes[2]);
  arrow('ArrowUp');
  expect(document.activeElement).toBe(boxes[1]);
});

test('what was typed in the comment is stored before the report is queued', async () => {
  const { desk, id, wrapper, button } = await openReport('a.txt');
  await wrapper.get('textarea').setValue('Zweiter Augenschein');
  await button('Bericht einreichen').trigger('click');
  await flushPromises();
  expect(desk.queue).toMatchObject([{ act: { kind: 'report', comment: 'Zweiter Augenschein' } }]);
  expect(desk.drafts.get(id)?.queueId).toBe(1);
});

test('what is typed into the case and not saved is named with its values, and saved by one button', async () => {
  const { desk, wrapper, button } = await openReport('a.pdf');
  const [caseId = ''] = desk.cases.keys();
  const edits = useEditsStore(desk.pinia);
  const check = () =>
    wrapper.get('section[aria-labelledby=check-title]').text().replaceAll('\u00a0', ' ');
  expect(check()).not.toContain('wenn Sie sie speichern');
  edits.change(caseId, 'estimate', '8’200.50');
  edits.change(caseId, 'approved', '7’9x');
  edits.change(caseId, 'comment', 'Achse verzogen');
  await flushPromises();
  expect(check()).toContain('erst gesendet, wenn Sie sie speichern:');
  expect(check()).not.toContain('Alles bereit');
  const amounts = () =>
    wrapper
      .findAll<HTMLInputElement>('section[aria-labelledby=check-title] input')
      .map(({ element }) => element.value);
  expect(amounts()).toEqual(['8’200.50', '7’9x']);
  for (const value of ['Kein gültiger Betrag', 'Achse verzogen']) expect(check()).toContain(value);
  await button('Eingaben speichern').trigger('click');
  await flushPromises();
  // Both amounts are one act: if one of them is no amount, only the comment is saved.
  expect(desk.queue.map(({ act }) => act.kind)).toEqual(['comment']);
  expect(check()).not.toContain('Achse verzogen');
  expect(button('Eingaben speichern').attributes('disabled')).toBeDefined();
  edits.change(caseId, 'approved', '7’900.00');
  await flushPromises();
  await button('Eingaben speichern').trigger('click');
  await flushPromises();
  expect(desk.queue.map(({ act }) => act)).toMatchObject([
    { kind: 'comment', text: 'Achse verzogen' },
    { kind: 'amounts', costEstimateRappen: 820_050, approvedRappen: 790_000 },
  ]);
  expect(check()).not.toContain('wenn Sie sie speichern');
  expect(check()).not.toContain('noch nicht vollständig');
  expect(amounts()).toEqual([]);
});

test('a report of a returned case is a revision: of which report, of when, and why', async () => {
  const { desk, show, wrapper } = await openReport('a.pdf');
  expect(wrapper.get('h1').text()).toBe('Bericht zusammenstellen');
  const [caseId = ''] = desk.cases.keys();
  const report = {
    id: 's1',
    caseId,
    sequenceNo: 1,
    revisionNo: 1,
    comment: '',
    isHere: true,
    createdAt: '2026-06-12T09:00:00Z',
    submittedAt: '2026-06-12T09:05:00Z',
  };
  const returned = {
    ...report,
    status: 'Returned',
    updatedAt: '2026-06-13T10:00:00Z',
    practiceReason: 'Die Summe ist falsch',
    note: null,
  };
  const begun = { ...report, id: 's2', sequenceNo: 2, submittedAt: null };
  const draft = { ...begun, status: 'Draft', updatedAt: '', practiceReason: null, note: null };
  desk.handlers.reports.list = () => ({
    items: [draft, returned],
    drafts: [],
    total: 2,
    listedAt: '2026-06-15T10:00:00Z',
  });
  const { wrapper: page } = await show();
  await flushPromises();
  expect(page.get('h1').text()).toBe('Überarbeitung von Bericht 1');
  const about = page.get('section[aria-label="Bericht 1"]').text();
  expect(about).toMatch(/eingereicht 12\.06\..* · zurückgegeben 13\.06\./);
  // Only the practice insurer gives one, so it is marked.
  expect(about).toContain(
    'Nur in der Übungsumgebung nennt der Versicherer den Grund: Die Summe ist falsch',
  );
});

test('why a report came back is noted in one tap, with own words and a text, and hinted at', async () => {
  const { desk, show } = await openReport('a.pdf');
  const [caseId = ''] = desk.cases.keys();
  let note: { reason: string | null; text: string } | null = null;
  const noted: unknown[] = [];
  desk.handlers.reports.list = () => ({
    items: [
      {
        id: 's1',
        caseId,
        sequenceNo: 1,
        revisionNo: 1,
        comment: '',
        isHere: true,
        createdAt: '2026-06-12T09:00:00Z',
        submittedAt: '2026-06-12T09:05:00Z',
        status: 'Returned',
        updatedAt: '2026-06-13T10:00:00Z',
        practiceReason: null,
        note,
      },
    ],
    drafts: [],
    total: 1,
    listedAt: '2026-06-15T10:00:00Z',
  });
  desk.handlers.reports.noteReturn = ({ reason, text }) => {
    noted.push({ reason, text });
    const { reason: former = null, text: formerText = '' } = note ?? {};
    note = { reason: reason === undefined ? former : reason, text: text ?? formerText };
    return { isLate: false };
  };
  desk.handlers.reports.returns = () => ({
    reports: 7,
    reasons: [
      { reason: 'photographs', count: 3 },
      { reason: 'Stempel fehlt', count: 1 },
      { reason: 'amounts', count: 1 },
    ],
    ownReasons: ['Stempel fehlt'],
  });
  const { wrapper: page } = await show();
  await flushPromises();
  const about = () => page.get('section[aria-label="Bericht 1"]');
  const reasonButton = (name: string) =>
    about()
      .findAll('button')
      .find((one) => one.text() === name) ?? page;
  expect(page.text()).toContain(
    '3 von 7 Berichten an diesen Versicherer kamen zurück. Notierter Grund: Fotos',
  );
  expect(page.text()).toContain(
    '1 von 7 Berichten an diesen Versicherer kam zurück. Notierter Grund: Stempel fehlt',
  );
  // Two at most, because more would hide what the report lacks.
  expect(page.text()).not.toContain('Notierter Grund: Beträge');
  expect(about().text()).toContain('teilt über diese Verbindung keinen Grund mit');
  await reasonButton('Fotos').trigger('click');
  await flushPromises();
  expect(noted.splice(0)).toEqual([{ reason: 'photographs', text: undefined }]);
  expect(reasonButton('Fotos').attributes('aria-pressed')).toBe('true');
  expect(about().text()).not.toContain('teilt über diese Verbindung keinen Grund mit');

  await about().get('textarea').setValue('Frontschaden nicht sichtbar');
  await vi.waitFor(() =>
    expect(noted.splice(0)).toEqual([{ reason: undefined, text: 'Frontschaden nicht sichtbar' }]),
  );
  await reasonButton('Anderer Grund').trigger('click');
  await flushPromises();
  const field = about().get('input[type="text"]');
  await field.setValue('  Falsche Police ');
  await field.trigger('keydown', { key: 'Enter' });
  await flushPromises();
  expect(noted.splice(0)).toEqual([{ reason: 'Falsche Police', text: undefined }]);
  expect(reasonButton('Falsche Police').attributes('aria-pressed')).toBe('true');
  // A second tap takes it back; the text stays.
  await reasonButton('Falsche Police').trigger('click');
  await flushPromises();
  expect(noted).toEqual([{ reason: null, text: undefined }]);
  expect(about().get('textarea').element.value).toBe('Frontschaden nicht sichtbar');
});

test('a comment that is too long to be sent is stored as it is typed', async () => {
  const { desk, id, show, wrapper } = await openReport('a.txt');
  const long = 'x'.repeat(commentMaxLength + 1);
  await wrapper.get('textarea').setValue(long);
  await wrapper.get('textarea').trigger('blur');
  await flushPromises();
  // Shown once, at the field, and not again as a problem.
  expect(wrapper.text()).toContain('1 Zeichen zu viel.');
  expect(wrapper.find('.note').exists()).toBe(false);
  expect(desk.drafts.get(id)?.comment).toBe(long);
  expect(useUnsavedStore(desk.pinia).any).toBe(false);
  wrapper.unmount();

  const { wrapper: again } = await show();
  expect(again.get('textarea').element.value).toBe(long);
});

test('what is typed while the comment is being stored is not taken as stored', async () => {
  const { desk, id, wrapper } = await openReport('a.txt');
  const field = wrapper.get('textarea');
  const release = desk.hold('reports.updateDraft');
  await field.setValue('Erster Satz.');
  await field.trigger('blur');
  await field.setValue('Erster Satz. Zweiter');
  await release();
  await flushPromises();
  expect(field.element.value).toBe('Erster Satz. Zweiter');
  expect(useUnsavedStore(desk.pinia).any).toBe(true);
  await field.trigger('blur');
  await release();
  await vi.waitFor(() => expect(useUnsavedStore(desk.pinia).any).toBe(false));
  expect(desk.drafts.get(id)?.comment).toBe('Erster Satz. Zweiter');
});

test('a comment is deleted with its draft', async () => {
  const { desk, wrapper } = await openReport('a.txt');
  await wrapper.get('textarea').setValue('x'.repeat(commentMaxLength + 1));
  wrapper.getComponent(ActDialog).vm.$emit('act');
  await vi.waitFor(() => expect(useUnsavedStore(desk.pinia).any).toBe(false));
});

test('who leaves in the middle of a sentence finds it in the draft', async () => {
  const { desk, id, wrapper } = await openReport('a.txt');
  await wrapper.get('textarea').setValue('Mitten im');
  wrapper.unmount();
  await vi.waitFor(() => expect(desk.drafts.get(id)?.comment).toBe('Mitten im'));
  expect(useUnsavedStore(desk.pinia).any).toBe(false);
});

test('new photos of the camera’s folder are offered, those of the inspection’s day first', async () => {
  const { desk, id, show } = await openReport('a.txt');
  const offer = [1, 2, 3].map((n) => ({
    id: String(n).repeat(64),
    fileName: `IMG_${String(n)}.jpg`,
    sizeBytes: 7_000_000,
    takenAt: `2026-05-0${n === 1 ? '1' : '2'}T14:0${String(n)}:00`,
    isOfVisit: n > 1,
  }));
  const decided = new Set<string>();
  const taken: string[] = [];
  const { camera } = desk.handlers;
  camera.offered = () => {
    const items = offer.filter((photo) => !decided.has(photo.id));
    return { folder: '/media/card', isThere: true, items, total: items.length };
  };
  camera.take = ({ draftId, id: photo }) => {
    expect(draftId).toBe(id);
    const { fileName } = offer.find((one) => one.id === photo) ?? { fileName: '' };
    if (fileName === 'IMG_3.jpg') throw new DeskError('file_changing', { fileName });
    decided.add(photo);
    taken.push(fileName);
    return {};
  };
  camera.leave = ({ ids }) => {
    for (const one of ids) decided.add(one);
    return {};
  };
  const { wrapper: page } = await show();
  const region = () => page.get('section[aria-label="Fotos im Kameraordner"]');
  const press = async (text: string) => {
    await buttonOf(region(), text).trigger('click');
    await flushPromises();
  };
  expect(region().text()).toContain(
    '3 neue Fotos im Kameraordner, 01.05.2026 14:01–02.05.2026 14:03',
  );
  expect(region().text()).toContain('(davon 2 vom Tag der Besichtigung)');
  await press('Die 2 vom Besichtigungstag übernehmen');
  expect(taken).toEqual(['IMG_2.jpg']);
  expect(region().text()).toContain('Die Datei «IMG_3.jpg» wird noch geschrieben.');
  expect(region().text()).toContain('2 neue Fotos im Kameraordner');
  await press('Auswählen');
  await region().find('input[type=checkbox]').setValue(true);
  await press('2 übernehmen');
  expect(taken).toEqual(['IMG_2.jpg', 'IMG_1.jpg']);
  await press('Nicht übernehmen');
  expect(page.text()).not.toContain('im Kameraordner, ');
});

test.each([
  ['still there', '/reports/1', 'queue'],
  ['elsewhere', '/cases', 'cases'],
])('a report that is submitted shows the outbox if the user is %s', async (_, path, shown) => {
  const { desk, router, button } = await openReport('a.txt');
  await router.push('/reports/1');
  const submit = desk.hold('reports.submitDraft');
  await button('Bericht einreichen').trigger('click');
  await router.push(path);
  await submit();
  await vi.waitFor(() => expect(desk.queue).toHaveLength(1));
  await vi.waitFor(() => expect(router.currentRoute.value.name).toBe(shown));
  await flushPromises();
  expect(router.currentRoute.value.name).toBe(shown);
});
