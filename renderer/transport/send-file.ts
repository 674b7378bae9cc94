import { fileNameHeader, salvageSaleHeader } from '#shared/desk/contract.ts';
import { isDeskProblem } from '#shared/desk/desk-error.ts';
import { attachmentSchema, type Attachment } from '#shared/desk/reports.ts';
import { DeskUnreachableError, FileProblemError } from './problem.ts';

/**
 * Sends a file to the engine, which has it safely when this resolves.
 *
 * @param url of the draft's files
 * @throws {FileProblemError} when the engine refuses the file; the draft is then as it was.
 * @throws {DeskUnreachableError} when the engine does not answer.
 */
export async function sendFile(
  url: string,
  file: File,
  isSalvageSale: boolean,
): Promise<Attachment> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      [fileNameHeader]: encodeURIComponent(file.name),
      [salvageSaleHeader]: String(isSalvageSale),
    },
    body: file,
  }).catch((cause: unknown) => {
    throw new DeskUnreachableError('the file was not taken', { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return attachmentSchema.parse(body);
  throw new FileProblemError(isDeskProblem(body) ? body : { code: 'internal', params: {} });
}
