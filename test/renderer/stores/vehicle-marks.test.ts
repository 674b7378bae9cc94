import { flushPromises } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { attachmentDetailsSchema } from '#shared/photos/details.ts';
import { recognizerKey } from '#renderer/lib/scans/recognizer.ts';
import { useVehicleMarksStore } from '#renderer/stores/vehicle-marks-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

test('a photo that cannot be fetched does not stop the others, and is tried at the next look', async () => {
  const desk = createDesk({ count: 1 });
  const fetched: string[] = [];
  let isBroken = true;
  vi.stubGlobal('fetch', (address: string) => {
    fetched.push(address.split('/').at(-1) ?? '');
    const isMissing = isBroken && address.endsWith('/one');
    return Promise.resolve(isMissing ? Response.error() : new Response('picture'));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  desk.app.provide(recognizerKey, {
    read: () => Promise.reject(new Error('no page is read here')),
    readPicture: () => Promise.resolve({ codes: ['WVWZZZ1KZAW123456'], lines: [] }),
    rest: () => undefined,
  });
  const store = useVehicleMarksStore(desk.pinia);
  const [detail] = desk.cases.values();
  const photos = ['one', 'two'].map((id): Attachment => ({
    id,
    fileName: `${id}.jpg`,
    contentType: 'image/jpeg',
    sizeBytes: 7,
    sha256: id,
    isSalvageSale: false,
    details: attachmentDetailsSchema.parse({ addedName: `${id}.jpg` }),
  }));
  const finds = () => photos.map((photo) => store.findsOf(photo, detail).length);
  await store.look('draft', photos);
  expect(fetched).toEqual(['one', 'two']);
  expect(finds()).toEqual([0, 1]);
  isBroken = false;
  await store.look('draft', photos);
  await flushPromises();
  expect(fetched).toEqual(['one', 'two', 'one']);
  expect(finds()).toEqual([1, 1]);
});
