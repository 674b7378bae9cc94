import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedCase, upload } from './support/claims.ts';
import { send, type Partner } from './support/partner.ts';
import { startService, type ServiceForTest } from './support/service.ts';

let service: ServiceForTest;
let insurer: Partner;

beforeAll(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
});
afterAll(() => service.remove());

const nowhere = {
  de: 'Diese Adresse gibt es nicht.',
  fr: 'Cette adresse n’existe pas.',
  it: 'Questo indirizzo non esiste.',
  en: 'there is no such address',
};

async function detailFor(header: string | undefined): Promise<unknown> {
  // An empty header is as good as none: Node cannot be told to send none over the test's default.
  const answer = await send('GET', `${service.baseUrl}/nowhere`, {
    headers: { 'accept-language': header ?? '' },
  });
  expect(answer.json).toMatchObject({ title: 'not_found', status: 404 });
  return (answer.json as { detail: unknown }).detail;
}

describe('Accept-Language', () => {
  test.each([
    ['', 'de'],
    ['*', 'de'],
    ['de', 'de'],
    ['fr', 'fr'],
    ['it', 'it'],
    ['en', 'en'],
    ['FR-ch', 'fr'],
    ['de-CH, en;q=0.8', 'de'],
    ['en;q=0.2, it;q=0.9, fr;q=0.5', 'it'],
    ['rm, es;q=0.9, fr;q=0.1', 'fr'],
    ['rm, es', 'de'],
    ['fr-CH, en', 'fr'],
    ['de-CH, fr', 'de'],
    ['it-CH,en', 'it'],
    ['fr-CH, fr;q=0.2, en;q=0.5', 'fr'],
    ['rm, en-GB, fr', 'en'],
    ['rm, *;q=0.1', 'de'],
    ['de;q=0, *', 'fr'],
    ['de;q=0.1, *;q=0.5', 'fr'],
    ['de-CH, de;q=0, it;q=0.5', 'it'],
    ['de;q=0, en;q=0.1', 'en'],
    ['en;q=0', 'de'],
    ['en;q=nonsense, fr;q=0.4', 'fr'],
    [',;=,"', 'de'],
  ] as const)('Accept-Language: %j is answered in %s', async (header, language) => {
    expect(await detailFor(header)).toBe(nowhere[language]);
  });

  test('Accept-Language: a caller without the header is answered in German', async () => {
    const answer = await fetch(`${service.baseUrl}/nowhere`, {
      headers: { 'accept-language': '' },
    });
    expect(await answer.json()).toMatchObject({ detail: nowhere.de });
  });

  test('Accept-Language: title and error_description stay as they are', async () => {
    const answer = await send('POST', `${service.baseUrl}/v1/oauth/token`, {
      headers: { 'accept-language': 'de' },
    });
    expect(answer.json).toMatchObject({
      title: 'invalid_dpop',
      detail: 'Die Anfrage hat keinen DPoP-Nachweis.',
      error: 'invalid_dpop_proof',
      error_description: 'the request has no DPoP proof',
    });
  });

  test('Accept-Language: messages of errors stay in their settled form', async () => {
    const answer = await insurer.request('POST', '/v1/insurers/claims', {
      headers: { 'accept-language': 'fr' },
      body: { Category: 'special', PayloadJson: '{}' },
    });
    const { detail, errors } = answer.json as { detail: string; errors: { PayloadJson: string[] } };
    expect(detail).toBe('Le contenu ne respecte pas sa catégorie.');
    expect(errors.PayloadJson).toContain('policyNumber: is required.');
  });

  test('Accept-Language: a repeated POST gets the language of the first', async () => {
    const create = (language: string) =>
      insurer.request('POST', '/v1/insurers/claims', {
        headers: { 'accept-language': language },
        idempotencyKey: 'one language',
        body: { Category: 'boat', PayloadJson: '{}' },
      });
    const first = await create('it');
    expect(first.json).toMatchObject({ detail: expect.stringMatching(/^Category deve/) as string });
    const second = await create('en');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
  });
});

describe('I9', () => {
  const ask = (query: string, language: string) =>
    insurer.request(
      'GET',
      `/v1/insurers/claims/8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b/reports/8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4c/documents${query}`,
      { headers: { 'accept-language': language } },
    );

  test.each([
    ['?lang=fr', 'en', 'Ce cas n’existe pas.'],
    ['?lang=de', 'en', 'Diesen Fall gibt es nicht.'],
    ['', 'it', 'Questo caso non esiste.'],
    ['', '', 'Diesen Fall gibt es nicht.'],
  ])('I9: lang %j wins over Accept-Language %j', async (query, language, detail) => {
    const answer = await ask(query, language);
    expect(answer.json).toMatchObject({ title: 'not_found', detail });
  });

  test('I9: an unknown lang is told in the accepted language', async () => {
    expect((await ask('?lang=rm', 'fr')).json).toMatchObject({
      title: 'invalid_request',
      detail: 'Les paramètres de la requête ne sont pas tels que l’opération les attend.',
      errors: { lang: ['must be one of: de, fr, it, en.'] },
    });
  });
});

test('details: values are those of the record', async () => {
  const claim = await acceptedCase(service, insurer);
  const expert = await service.partner('expert');
  const reopened = await expert.request('POST', `/v1/experts/cases/${claim.Id}:reopen`, {
    headers: { 'accept-language': 'de' },
    body: { Reason: 'Nachtrag' },
  });
  expect(reopened.json).toMatchObject({
    title: 'invalid_state',
    detail: 'Der Fall ist im Status Accepted, der das nicht zulässt.',
  });
  const documents = `/v1/insurers/claims/${claim.Id}/documents`;
  const uploaded = await insurer.request('POST', documents, {
    headers: { 'accept-language': 'de' },
    body: upload(Buffer.from('text'), { ContentType: 'application/pdf' }),
  });
  expect(uploaded.json).toMatchObject({
    title: 'invalid_document',
    detail: 'ContentBase64 ist kein Dokument des Typs application/pdf.',
    errors: { ContentBase64: ['is not a document of the type application/pdf.'] },
  });
});
