import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DocumentRecord } from '#main/engine/cache/document-store.ts';
import { SickContents } from '#main/engine/sync/sick-contents.ts';
import { createEagerClock, type EagerClock } from '../support/stepped-clock.ts';

const hour = 3_600_000;
const document: DocumentRecord = {
  caseId: 'case-1',
  id: 'document-1',
  fileName: 'a.txt',
  contentType: 'text/plain',
  sizeBytes: 10,
  createdAt: '',
  blobId: null,
};
const error = new DeskError('answer_invalid', { operation: 'X7', detail: 'SizeBytes' });

let clock: EagerClock;
let sick: SickContents;
beforeEach(() => {
  clock = createEagerClock();
  sick = new SickContents(clock);
});

describe('a content whose answer was wrong', () => {
  it('has its error for an hour', () => {
    expect(sick.errorOf(document)).toBeNull();
    sick.noteFailed(document, error);
    clock.skip(hour - 1);
    expect(sick.errorOf(document)).toBe(error);
    clock.skip(1);
    expect(sick.errorOf(document)).toBeNull();
  });

  it('waits twice as long after each further failure, and at most a day', () => {
    for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
      sick.noteFailed(document, error);
      clock.skip(hours * hour - 1);
      expect(sick.errorOf(document)).toBe(error);
      clock.skip(1);
      expect(sick.errorOf(document)).toBeNull();
    }
  });

  it('is none of another document, of another case or of another size', () => {
    sick.noteFailed(document, error);
    expect(sick.errorOf({ ...document, id: 'document-2' })).toBeNull();
    expect(sick.errorOf({ ...document, caseId: 'case-2' })).toBeNull();
    expect(sick.errorOf({ ...document, sizeBytes: 11 })).toBeNull();
  });

  it('waits an hour again once the list says another size, or the content was stored', () => {
    const waitsAnHour = (of: DocumentRecord) => {
      sick.noteFailed(of, error);
      clock.skip(hour);
      expect(sick.errorOf(of)).toBeNull();
    };
    waitsAnHour(document);
    const other = { ...document, sizeBytes: 11 };
    waitsAnHour(other);
    sick.noteFailed(other, error);
    sick.noteStored(other);
    expect(sick.errorOf(other)).toBeNull();
    waitsAnHour(other);
  });

  it.each([
    ['an error of the program', new Error('x')],
    ['a lost network', new DeskError('connection_lost', { host: 'a' })],
  ])('is not one after %s', (_name, failure) => {
    sick.noteFailed(document, failure);
    expect(sick.errorOf(document)).toBeNull();
  });
});
