import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import ReportPage from '#renderer/pages/ReportPage.vue';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

/** The page of a draft with these files. */
async function openReport(...names: string[]) {
  const desk = createDesk({ count: 1 });
  for (const [id, detail] of desk.cases) desk.cases.set(id, { ...detail, status: 'InProgress' });
  const reports = useReportsStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  const { id } = await reports.createDraft(caseId);
  await reports.addFiles(
    id,
    names.map((name) => new File([name], name)),
  );
  const { wrapper, router } = mountPage(ReportPage, desk, { draftId: id });
  await flushPromises();
  const button = (text: string) => {
    const found = wrapper.findAll('button').find((one) => one.text() === text);
    if (!found) throw new Error(`no button ${text}`);
    return found;
  };
  return { desk, reports, id, wrapper, router, button };
}

test('a report waits for work on its files, and says for which', async () => {
  const { reports, id, wrapper, button } = await openReport('a.txt');
  const queue = () => button('In die Warteschlange').attributes('disabled');
  expect(queue()).toBeUndefined();
  for (const [work, said] of [
    ['photos', 'Fotos werden noch bearbeitet.'],
    ['names', 'Dateien werden noch umbenannt.'],
  ] as const) {
    const { promise: end, resolve } = Promise.withResolvers<undefined>();
    const done = reports.during(id, work, () => end);
    await flushPromises();
    expect(queue()).toBeDefined();
    expect(button('Nach Muster umbenennen').attributes('disabled')).toBeDefined();
    expect(wrapper.text()).toContain(said);
    resolve(undefined);
    await done;
    await flushPromises();
    expect(queue()).toBeUndefined();
    expect(wrapper.text()).not.toContain(said);
  }
  wrapper.unmount();
});

test('what was typed in the comment is kept before the report is queued', async () => {
  const { desk, id, wrapper, button } = await openReport('a.txt');
  await wrapper.get('textarea').setValue('Zweiter Augenschein');
  await button('In die Warteschlange').trigger('click');
  await flushPromises();
  expect(desk.queue).toMatchObject([{ act: { kind: 'report', comment: 'Zweiter Augenschein' } }]);
  expect(desk.engine.getDraft(id).queueId).toBe(1);
  wrapper.unmount();
});
