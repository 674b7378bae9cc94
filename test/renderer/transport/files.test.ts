import { afterEach, expect, test, vi } from 'vitest';
import { createFileAccess } from '#renderer/transport/files.ts';

afterEach(() => vi.unstubAllGlobals());

/** What the window says if the request with the file fails. */
async function failureWith(file: File): Promise<unknown> {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  return createFileAccess('desk://files/', false)
    .addTemplate(file)
    .catch((error: unknown) => error);
}

test('a request that fails because its file cannot be read is not called a lost connection', async () => {
  const readable = new File(['x'], 'a.docx');
  const held = new File(['x'], 'held.docx');
  const refuse = () => Promise.reject(new DOMException('', 'NotReadableError'));
  vi.spyOn(held, 'stream').mockReturnValue(new ReadableStream({ pull: refuse }));
  expect(await failureWith(held)).toMatchObject({
    problem: { code: 'file_unreadable', params: { fileName: 'held.docx' } },
  });
  expect(await failureWith(readable)).toMatchObject({ name: 'DeskUnreachableError' });
});
