import { expect } from 'vitest';
import type { Partner, PartnerAnswer } from './partner.ts';
import { send } from './partner.ts';
import type { ServiceForTest } from './service.ts';

/** Returns a valid payload of the category special. */
export function specialPayload(changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    policyNumber: 'P-4711',
    claimInsurance: 'comprehensive',
    claimType: 'collision',
    machineCategory: 'land_machine',
    machineType: 'tractor',
    insured: {
      name: 'Noëmi Zürcher',
      phone: '+41 44 555 12 34',
      address: 'Bahnhofstrasse 1',
      postalCode: '8001',
      city: 'Zürich',
      carMake: 'Fendt',
      licensePlate: 'ZH 123 456',
    },
    location: { address: 'Feldweg 2', postalCode: '8400', city: 'Winterthur' },
    incidentDate: '2026-01-15',
    damageDescription: 'Front axle bent',
    estimatedAmount: 12500.5,
    estimatedCurrency: 'CHF',
    inspectionType: 'estimate_review',
    workshop: { name: 'Garage Meier', phone: '+41 52 555 11 22' },
    ...changes,
  };
}

export interface CreatedClaim {
  readonly Id: string;
  readonly ExternalKey: string;
  readonly Category: string;
  readonly Status: string;
  readonly PayloadJson: string;
}

/** Creates a claim through I2. */
export async function createClaimOver(
  insurer: Partner,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<CreatedClaim> {
  const answer = await insurer.request('POST', '/v1/insurers/claims', {
    body: { Category: 'special', PayloadJson: JSON.stringify(specialPayload(changes)) },
  });
  if (answer.status !== 201) throw new Error(`I2: ${answer.status} ${answer.text}`);
  return answer.json as CreatedClaim;
}

/** Sends a call of the back office, with its token unless the headers replace it. */
export function backoffice(
  service: ServiceForTest,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<PartnerAnswer> {
  return send(method, `${service.baseUrl}/_backoffice${path}`, {
    headers: {
      authorization: `Bearer ${service.credentials.backoffice.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Assigns a claim to the expert of the credentials. */
export function assign(service: ServiceForTest, claimId: string): Promise<PartnerAnswer> {
  return backoffice(service, 'POST', `/claims/${claimId}/assign`, {
    ExpertOrganizationId: service.credentials.expert.organizationId,
  });
}

/** Creates a claim that the expert of the credentials has accepted. */
export async function acceptedCase(
  service: ServiceForTest,
  insurer: Partner,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<CreatedClaim> {
  const claim = await createClaimOver(insurer, changes);
  await expectDone(assign(service, claim.Id));
  await expectDone(backoffice(service, 'POST', `/claims/${claim.Id}/accept`));
  return claim;
}

/** Waits for an answer and fails the test if it is not a success. */
export async function expectDone(pending: Promise<PartnerAnswer>): Promise<PartnerAnswer> {
  const answer = await pending;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

/** Returns the id of the object that a request creates. It fails the test if the request fails. */
export async function idOf(pending: Promise<PartnerAnswer>): Promise<string> {
  return ((await expectDone(pending)).json as { Id: string }).Id;
}

/**
 * Opens a draft of a report on a case.
 * @returns its id
 */
export function openDraft(expert: Partner, caseId: string): Promise<string> {
  const path = `/v1/experts/cases/${caseId}/reports:draft`;
  return idOf(expert.request('POST', path, { body: { Comment: '' } }));
}

/**
 * Adds a document to a draft.
 * @returns its id
 */
export function attach(expert: Partner, submissionId: string): Promise<string> {
  const path = `/v1/experts/reports/${submissionId}/documents`;
  return idOf(expert.request('POST', path, { body: upload() }));
}

/**
 * Submits a new report with one document.
 * @returns its id
 */
export async function handIn(expert: Partner, caseId: string): Promise<string> {
  const submissionId = await openDraft(expert, caseId);
  await attach(expert, submissionId);
  await expectDone(expert.request('POST', `/v1/experts/reports/${submissionId}/submit`));
  return submissionId;
}

/** The smallest contents that have their signatures. */
export const contents = {
  pdf: Buffer.from('%PDF-1.7\n%%EOF\n'),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 0xff, 0xd9]),
};

/** Returns the body of I6 and X13. */
export function upload(
  bytes: Buffer = contents.pdf,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    FileName: 'Gutachten.pdf',
    ContentType: 'application/pdf',
    ContentBase64: bytes.toString('base64'),
    ...changes,
  };
}

/** Returns the title of a problem document, or undefined if the answer is not one. */
export function titleOf(answer: PartnerAnswer): string | undefined {
  const json = answer.json as { title?: string } | undefined;
  return json?.title;
}

/** A matcher for any text. It has a type because Vitest's own matcher is `any`. */
export const anyString: unknown = expect.any(String);

/**
 * Returns the item of a list at an index.
 * @throws {Error} if it does not exist.
 */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is nothing at ${index}`);
  return item;
}
