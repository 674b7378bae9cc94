import { expect, test } from 'vitest';
import { droppedFiles } from '#renderer/composables/files.ts';
import { fileEntry, folderEntry, transferOf } from '../fixtures/dropped.ts';

const pathsOf = async (transfer: DataTransfer) =>
  (await droppedFiles(transfer)).map(({ path }) => path);

test('a folder gives all its files by name, however deep and in however many parts it is read', async () => {
  const many = Array.from({ length: 250 }, (_, index) => fileEntry(`Fotos/a/${249 - index}.jpg`));
  const folder = folderEntry('Fotos', [
    fileEntry('Fotos/b.jpg'),
    folderEntry('Fotos/a', many),
    fileEntry('Fotos/10.jpg'),
  ]);
  expect(await pathsOf(transferOf(fileEntry('zuerst.pdf'), folder))).toEqual([
    'zuerst.pdf',
    'Fotos/10.jpg',
    ...Array.from({ length: 250 }, (_, index) => `Fotos/a/${index}.jpg`),
    'Fotos/b.jpg',
  ]);
});

test('what cannot be read is left out, and a file without a place on a disk is taken', async () => {
  const locked = {
    ...fileEntry('gesperrt.pdf'),
    file: (_taken: unknown, failed: () => void) => failed(),
  };
  const picture = new File(['picture'], 'image.png');
  expect(
    await pathsOf(transferOf(locked, folderEntry('leer', []), picture, fileEntry('da.pdf'))),
  ).toEqual(['image.png', 'da.pdf']);
});
