import { describe, expect, test } from 'vitest';
import { documentContentTypes, type DocumentContentType } from '#shared/api/content-types.ts';
import { carriesSignature, FileTypeScanner, typeByContent } from '#shared/lib/file-signature.ts';
import { documentSamples, edgeSamples } from '../../support/document-samples.ts';

function carries(type: DocumentContentType, content: Buffer, pieceBytes = 1000): boolean {
  const scanner = new FileTypeScanner();
  for (let at = 0; at < content.length; at += pieceBytes) {
    scanner.push(content.subarray(at, at + pieceBytes));
  }
  return carriesSignature(type, scanner.traits());
}

const hasSignature = documentContentTypes.filter((type) => !type.startsWith('text/'));

describe('signatures', () => {
  test.each(documentContentTypes)('%s carries its own, however it is cut', (type) => {
    const { content } = documentSamples[type];
    for (const pieceBytes of [1000, 19, 7, 1])
      expect(carries(type, content, pieceBytes)).toBe(true);
  });

  test.each(documentContentTypes)('%s carries no other', (type) => {
    const others = hasSignature.filter((other) => carries(other, documentSamples[type].content));
    const isOffice = type.includes('openxml');
    // Office files are archives.
    const also = isOffice ? ['application/zip'] : [];
    expect(others.filter((other) => other !== type)).toEqual(also);
  });

  test.each(edgeSamples)('%s', (_, type, content, isCarried) => {
    expect(carries(type, Buffer.from(content, 'latin1'))).toBe(isCarried);
  });
});

test.each([
  ['a PDF', '%PDF-1.7', 'application/pdf'],
  ['text', 'Grüezi', 'text/plain'],
  ['an archive', 'PK\x03\x04', 'application/zip'],
  ['anything else', '\0\x01', null],
])('the head alone tells %s', (_, head, type) => {
  expect(typeByContent(Buffer.from(head, 'latin1'))).toBe(type);
});
