import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import type { UploadSource } from '#main/partner/answers/document-bodies.ts';
import { startHostileServer, type HostileServer } from '../../../support/partner/hostile-server.ts';
import { createTestClient } from '../../engine/support/test-client.ts';

export const caseId = randomUUID();
export const submissionId = randomUUID();
export const documentId = randomUUID();
export const at = '2026-03-01T08:00:00.000Z';

/** A server for each test of the file that answers as the test asks, and clients of it. */
export function shareHostilePartner() {
  let running: HostileServer | undefined;
  const closers: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    running = await startHostileServer();
  });
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
    await running?.stop();
  });
  const server = () => {
    if (!running) throw new Error('the server is not started yet');
    return running;
  };
  const host = () => new URL(server().baseUrl).host;
  /** A client that is closed after the running test. */
  const connect = (
    options: Parameters<typeof createTestClient>[1] = {},
    baseUrl = server().baseUrl,
  ) => {
    const made = createTestClient(baseUrl, options);
    server().now = () => made.clock.now();
    closers.push(() => made.client.close());
    return made;
  };
  return { server, host, connect };
}

export const caseRecord = {
  Id: caseId,
  ExternalKey: 'SCH-1',
  Category: 'vehicle',
  Status: 'Accepted',
  CreatedAt: at,
  UpdatedAt: at,
  ExpertComment: '',
  PayloadJson: '{}',
  ArchiveState: false,
  Insurer: { Name: 'Muster', Responsible: { Name: 'A', Email: 'a@b.ch', Phone: '1' } },
  HailDriveInAccepted: false,
  LastChangedAt: at,
  CostEstimateAmount: 1234.56,
  ApprovedAmount: null,
  SavingsAmount: null,
};
export const submissionRecord = {
  Id: submissionId,
  ClaimId: caseId,
  SequenceNo: 1,
  Status: 'Draft',
  Comment: 'c',
  SubmittedAt: null,
  CreatedAt: at,
  UpdatedAt: at,
};
export const documentRecord = {
  Id: documentId,
  FileName: 'a.pdf',
  ContentType: 'application/pdf',
  SizeBytes: 3,
  CreatedAt: at,
};
export const uploadedRecord = {
  ...documentRecord,
  SubmissionId: submissionId,
  ClaimId: caseId,
  Kind: 'Report',
  IsSalvageSale: false,
};

export const sourceOf = (content: Buffer, pieceBytes = 10_000): UploadSource => ({
  fileName: 'Bericht "Züri".pdf',
  contentType: 'application/pdf',
  sizeBytes: content.length,
  isSalvageSale: true,
  open: () =>
    Readable.from(
      Array.from({ length: Math.ceil(content.length / pieceBytes) }, (_, index) =>
        content.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      ),
    ),
});
