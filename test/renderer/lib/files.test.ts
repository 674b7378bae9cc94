import { afterEach, expect, test, vi } from 'vitest';
import { saveCopy } from '#renderer/lib/files.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('saves a copy from the bytes, never by following the address of the document', async () => {
  const fetched = vi.fn(() => Promise.resolve(new Response('content')));
  vi.stubGlobal('fetch', fetched);
  const followed: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    followed.push(`${this.download} ${new URL(this.href).protocol}`);
  });
  await saveCopy('expertise.pdf', 'desk://files/documents/a/b');
  expect(fetched).toHaveBeenCalledExactlyOnceWith('desk://files/documents/a/b', {});
  expect(followed).toEqual(['expertise.pdf blob:']);
});

test('saves nothing that the desk does not give, and throws its reason', async () => {
  const problem = { code: 'document_not_found', params: {} };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(problem, { status: 404 })));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  const saving = saveCopy('expertise.pdf', 'desk://files/documents/a/b');
  await expect(saving).rejects.toMatchObject({ problem });
  expect(click).not.toHaveBeenCalled();
});
