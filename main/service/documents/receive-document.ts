import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type DocumentContentType, documentContentTypes } from '#shared/api/document.ts';
import { documentMaxBytes, fileNameMaxLength } from '#shared/api/limits.ts';
import { Base64Error } from '#shared/lib/base64-decoder.ts';
import { ContentReader, ContentSyntaxError } from '#shared/lib/content-reader.ts';
import { carriesSignature, FileTypeScanner } from '#shared/lib/file-type.ts';
import { characterCount, stringSchema } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { parseWith } from '../../front/parse-request.ts';
import { Problem } from '../../front/problem.ts';
import { createContentWriter } from '../../front/contents/content-writer.ts';
import type {
  ContentStorage,
  ContentWriter,
  StagedContent,
} from '../../front/contents/contents.ts';

/** An upload's members (I6, X13) with its staged content. */
export interface ReceivedDocument {
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly isSalvageSale: boolean;
  readonly content: StagedContent;
}

/** The most bytes of the members and blanks around the content. */
const otherMembersMaxBytes = 1024 * 1024;

const membersSchema = z.object(
  { FileName: stringSchema, ContentType: stringSchema, ContentBase64: stringSchema },
  { error: 'must be a JSON object.' },
);
/** I6 ignores IsSalvageSale like any other unknown member. */
const submissionMembersSchema = membersSchema.extend({
  IsSalvageSale: z
    .boolean({ error: 'must be true or false.' })
    .nullish()
    .transform((value) => value ?? false),
});

/**
 * Reads the body of an upload: decodes and stages the content while it arrives, and checks it
 * against decisions, "Documents".
 * @param operation I6, or X13, which has IsSalvageSale.
 * @throws {Problem} invalid_request, invalid_document, unsupported_content_type,
 *   size_limit_exceeded; then the content is discarded.
 */
export async function receiveDocument(
  operation: 'I6' | 'X13',
  stream: Readable,
  context: ContentStorage & Pick<ServiceContext, 'clock'>,
): Promise<ReceivedDocument> {
  const writer = createContentWriter(context, randomUUID(), context.clock.now());
  try {
    const body = await readBody(stream, writer);
    const members = readMembers(operation, body.members);
    assertFileName(members.FileName);
    const contentType = documentContentType(members.ContentType);
    if (writer.sizeBytes === 0) throw invalidDocument('ContentBase64', 'must not be empty.');
    if (!carriesSignature(contentType, body.traits)) {
      throw invalidDocument('ContentBase64', `is not a document of the type ${contentType}.`);
    }
    return {
      fileName: members.FileName,
      contentType,
      isSalvageSale: members.IsSalvageSale,
      content: await writer.finish(),
    };
  } catch (error) {
    await writer.discard();
    throw asProblem(error);
  }
}

function readMembers(
  operation: 'I6' | 'X13',
  value: unknown,
): z.output<typeof submissionMembersSchema> {
  if (operation === 'X13') return parseWith(submissionMembersSchema, value, 'body');
  return { ...parseWith(membersSchema, value, 'body'), IsSalvageSale: false };
}

async function readBody(stream: Readable, writer: ContentWriter) {
  const scanner = new FileTypeScanner();
  const reader = new ContentReader(
    {
      async data(bytes) {
        if (writer.sizeBytes + bytes.length > documentMaxBytes) {
          throw new Problem('size_limit_exceeded', 'A document may have at most 50 MB.', {
            errors: { ContentBase64: ['must be at most 50 MB when decoded.'] },
          });
        }
        scanner.push(bytes);
        await writer.push(bytes);
      },
    },
    { maxRestBytes: otherMembersMaxBytes, isCanonical: true, depth: 1 },
  );
  for await (const piece of stream) {
    // A byte stream without an encoding returns buffers.
    await reader.write(piece as Buffer);
  }
  return { members: membersOf(reader), traits: scanner.traits() };
}

/**
 * The members of the body, with an empty string for the content.
 * @throws {ContentSyntaxError} if the body is not JSON in UTF-8, or has several contents.
 */
function membersOf(reader: ContentReader): unknown {
  if (reader.contents > 1) throw new ContentSyntaxError('ContentBase64 occurs twice');
  const members = parseJson(reader.rest());
  const isObject = typeof members === 'object' && members !== null;
  return isObject && reader.contents === 1 ? { ...members, ContentBase64: '' } : members;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ContentSyntaxError('the body is not valid JSON');
  }
}

function assertFileName(name: string): void {
  const length = characterCount(name);
  if (length === 0) throw invalidDocument('FileName', 'must not be empty.');
  if (length > fileNameMaxLength) {
    throw invalidDocument('FileName', `must be at most ${fileNameMaxLength} characters.`);
  }
  if (/[/\\\p{Cc}]/u.test(name) || !name.isWellFormed()) {
    throw invalidDocument('FileName', 'must have no path separators or control characters.');
  }
}

function documentContentType(type: string): DocumentContentType {
  const known = documentContentTypes.find((name) => name === type);
  if (known !== undefined) return known;
  throw new Problem('unsupported_content_type', 'Documents of this type are not accepted.', {
    errors: { ContentType: ['must be a type of document that is accepted.'] },
  });
}

function invalidDocument(field: string, message: string): Problem {
  return new Problem('invalid_document', `${field} ${message}`, { errors: { [field]: [message] } });
}

function asProblem(error: unknown): unknown {
  if (error instanceof Base64Error)
    return invalidDocument('ContentBase64', 'must be strict base64.');
  if (error instanceof ContentSyntaxError) {
    return new Problem('invalid_request', 'The body cannot be read as the upload of a document.', {
      errors: { body: [`${error.message}.`] },
    });
  }
  return error;
}
