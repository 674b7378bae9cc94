import { expect, test, vi } from 'vitest';
import { createPhotoIntake } from '#renderer/composables/photos/photo-intake.ts';
import type { PhotoStudio } from '#renderer/composables/photos/photo-studio.ts';
import { PhotoError, type PhotoTask } from '#renderer/composables/photos/photo-tasks.ts';

test('of a scan with a page that cannot be read, nothing is stored', async () => {
  const addAttachment = vi.fn().mockResolvedValue({ id: 'file' });
  const setRendition = vi.fn();
  const answer = (task: PhotoTask) =>
    task.kind === 'prepare' && task.page === 0
      ? Promise.resolve({ jpeg: new Blob(['page']), takenAt: null, pages: 2 })
      : Promise.reject(new PhotoError('unsupported'));
  const intake = createPhotoIntake({
    studio: { run: answer as PhotoStudio['run'] },
    files: { addAttachment, setRendition },
    rule: () => ({ longEdge: null, keepPlace: false }),
  });
  const taking = intake.take('draft', new File(['II*'], 'scan.tif'), false);
  await expect(taking).rejects.toMatchObject({
    code: 'photo_unusable',
    problem: { params: { fileName: 'scan.tif', rule: 'unsupported' } },
  });
  expect([addAttachment.mock.calls, setRendition.mock.calls]).toEqual([[], []]);
});
