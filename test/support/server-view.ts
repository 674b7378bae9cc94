import { createHash } from 'node:crypto';
import type { CredentialsFile } from './processes.ts';
import { createPartner, type Partner } from '../main/service/support/partner.ts';

/** Reads data back from the service as an independent client with a separate key. */
export interface ServerView {
  readonly expert: Partner;
  readonly insurer: Partner;
  /** Returns every case that the expert's organization sees. */
  cases(): Promise<Json[]>;
  case(id: string): Promise<Json>;
  /** Returns the insurer's documents of a case. */
  caseDocuments(caseId: string): Promise<Json[]>;
  /** Returns every submission of a case, including drafts. */
  reports(caseId: string): Promise<Json[]>;
  /** Returns a submission's documents with the SHA-256 of their bytes, sorted by name. */
  documents(submissionId: string): Promise<ServerDocument[]>;
  /** Returns the bytes of a submission's documents by name. The names must differ. */
  contents(submissionId: string): Promise<Map<string, Buffer>>;
  backoffice(method: string, path: string, body?: unknown): Promise<Json>;
}

export type Json = Record<string, unknown>;

export interface ServerDocument {
  readonly fileName: string;
  readonly contentType: string;
  readonly isSalvageSale: boolean;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export const sha256Hex = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Reads every page of a list. */
async function readAll(partner: Partner, path: string, size: number): Promise<Json[]> {
  const items: Json[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await partner.request('GET', `${path}?page=${page}&size=${size}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    const { Items, Total } = answer.json as { Items: Json[]; Total: number };
    items.push(...Items);
    if (items.length >= Total || Items.length === 0) return items;
  }
}

export async function openServerView(
  credentials: CredentialsFile,
  baseUrl = credentials.baseUrl,
): Promise<ServerView> {
  const options = { audience: credentials.audience, publicUrl: credentials.baseUrl };
  const expert = await createPartner(credentials.expert, baseUrl, options);
  const insurer = await createPartner(credentials.insurer, baseUrl, options);
  const documentsOf = (submissionId: string) =>
    readAll(expert, `/v1/experts/reports/${submissionId}/documents`, 50);
  const contentOf = (item: Json) => Buffer.from(String(item['ContentBase64']), 'base64');
  return {
    expert,
    insurer,
    cases: () => readAll(expert, '/v1/experts/cases', 200),
    async case(id) {
      const answer = await expert.request('GET', `/v1/experts/cases/${id}`);
      if (answer.status !== 200) throw new Error(`case: ${answer.status} ${answer.text}`);
      return answer.json as Json;
    },
    caseDocuments: (caseId) => readAll(expert, `/v1/experts/cases/${caseId}/documents`, 200),
    reports: (caseId) => readAll(expert, `/v1/experts/cases/${caseId}/reports`, 200),
    async contents(submissionId) {
      const items = await documentsOf(submissionId);
      return new Map(items.map((item) => [String(item['FileName']), contentOf(item)]));
    },
    async documents(submissionId) {
      const documents = (await documentsOf(submissionId)).map((item) => {
        const content = contentOf(item);
        return {
          fileName: String(item['FileName']),
          contentType: String(item['ContentType']),
          isSalvageSale: item['IsSalvageSale'] === true,
          sizeBytes: content.length,
          sha256: sha256Hex(content),
        };
      });
      return documents.sort((a, b) => a.fileName.localeCompare(b.fileName));
    },
    async backoffice(method, path, body) {
      const answer = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${credentials.backoffice.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? {} : ((await answer.json()) as Json);
    },
  };
}
