import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import BatchPage from '#renderer/pages/batch/BatchPage.vue';
import { useBatchStore } from '#renderer/stores/batch-store.ts';
import { emptySheet, fakeBatch } from '../fixtures/fake-batch.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

test('a batch of a sheet without files counts no reports that its files would be', async () => {
  const desk = createDesk({ count: 2 });
  const { readAs } = fakeBatch(desk);
  readAs(emptySheet);
  desk.handlers.queue.forecast = () => ({ doneAt: null });
  const batch = useBatchStore(desk.pinia);
  const { wrapper } = mountPage(BatchPage, desk);
  await batch.readSheet(new File(['x'], 'amounts.csv'));
  await batch.setTemplate({ templateId: 'desk:report.vehicle.de.docx', asPdf: false });
  await flushPromises();
  expect(wrapper.get('.act').text()).toContain('Alle einreichen');
  expect(wrapper.get('.act').text()).not.toContain('bereit');

  const [{ externalKey = '' } = {}] = desk.cases.values();
  await batch.add([{ path: 'a.pdf', file: new File(['%PDF-1.4 x'], 'a.pdf') }]);
  await batch.assign('a.pdf', externalKey);
  await flushPromises();
  expect(wrapper.get('.act').text()).toContain('1 Bericht ist bereit');
});

test('a batch without raw photos is read once, and with nothing ready asks for no forecast', async () => {
  const desk = createDesk({ count: 1 });
  fakeBatch(desk);
  const calls: string[] = [];
  desk.handlers.queue.forecast = () => {
    calls.push('forecast');
    return { doneAt: null };
  };
  const batch = useBatchStore(desk.pinia);
  await batch.add([{ path: 'a.pdf', file: new File(['%PDF-1.4 x'], 'a.pdf') }]);
  const { get } = desk.handlers.batch;
  desk.handlers.batch.get = (input) => {
    calls.push('get');
    return get(input);
  };
  mountPage(BatchPage, desk);
  await flushPromises();
  expect(calls).toEqual(['get']);
});

test('a row of the filter stays when nothing is left of it, also one that came since', async () => {
  const desk = createDesk({ count: 1 });
  fakeBatch(desk);
  desk.handlers.queue.forecast = () => ({ doneAt: null });
  const batch = useBatchStore(desk.pinia);
  const [{ externalKey = '' } = {}] = desk.cases.values();
  const place = (path: string) => ({ path, file: new File(['%PDF-1.4 x'], path) });
  await batch.add([place('a.pdf')]);
  const { wrapper } = mountPage(BatchPage, desk);
  await flushPromises();
  await wrapper.get('.tools input[type=checkbox]').setValue(true);
  await batch.add([place('b.pdf')]);
  await flushPromises();
  for (const path of ['a.pdf', 'b.pdf']) await batch.assign(path, externalKey);
  await flushPromises();
  expect(wrapper.findAll('.files [role=listitem]')).toHaveLength(2);
});

test('a chosen template that is not there any more is named, with its PDF to be taken off', async () => {
  const desk = createDesk({ count: 1 });
  fakeBatch(desk);
  desk.handlers.queue.forecast = () => ({ doneAt: null });
  const batch = useBatchStore(desk.pinia);
  await batch.add([{ path: 'a.pdf', file: new File(['%PDF-1.4 x'], 'a.pdf') }]);
  await batch.setTemplate({ templateId: 'removed', asPdf: true });
  const { wrapper } = mountPage(BatchPage, desk);
  await flushPromises();
  const choice = wrapper.get('.choice');
  expect(choice.text()).toContain('Nicht mehr vorhanden: bitte neu wählen');
  await choice.get('input[type=checkbox]').setValue(false);
  await flushPromises();
  expect(batch.template).toEqual({ templateId: 'removed', asPdf: false });
  expect(choice.find('input[type=checkbox]').exists()).toBe(false);
});

test('a file whose case was typed is listed under it when the page is opened again', async () => {
  const desk = createDesk({ count: 1 });
  fakeBatch(desk);
  desk.handlers.queue.forecast = () => ({ doneAt: null });
  const batch = useBatchStore(desk.pinia);
  const [{ externalKey = '' } = {}] = desk.cases.values();
  await batch.add([{ path: 'a.pdf', file: new File(['%PDF-1.4 x'], 'a.pdf') }]);
  await batch.assign('a.pdf', externalKey);
  expect(batch.rows.map(({ head }) => head)).toEqual([null]);
  const { wrapper } = mountPage(BatchPage, desk);
  await flushPromises();
  expect(wrapper.get('.files section').text()).toContain(externalKey);
  expect(wrapper.get('.files section').text()).toContain('Bereit');
});
