import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import type { Caller } from '#main/front/admit.ts';
import { changeClaim } from '#main/service/claims/change-claim.ts';
import { createClaim } from '#main/service/claims/create-claim.ts';
import type { ClaimsTable } from '#main/service/store/tables.ts';
import type { ListedRecord } from '../../../support/list-model.ts';
import type { ServiceForTest } from './service.ts';

/*
 * Claims that give every list, filter and page a different result, for the tests against a model of
 * lists.
 */

const count = 160;
const firstAt = Date.UTC(2026, 0, 5);
/** Texts with all characters that folding, LIKE and MATCH could mishandle. */
const texts = [
  'Straße',
  'STRASSE 7',
  'Hagelschaden',
  'Öl',
  'Genève',
  'Zürich',
  'ZH 123 456',
  'a_b%c\\d',
  '"Zitat" OR NEAR(',
  "it's",
  '😀😀',
  'ΟΔΟΣ',
  'İzmir',
  'e\u0301cole',
  '100 %',
  'a\0b',
  '\ud83d',
  'x\u00a0y\u3000z\u0085w\u000bv',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  `${'weit '.repeat(2_500)}Ende`,
];
const usedTypes = ['workshop', 'onsite', 'private'] as const;

export interface ListedClaim extends ListedRecord {
  readonly row: ClaimsTable;
}

/**
 * Creates the claims.
 * @returns them, and a caller of each organization
 */
export async function createListedClaims(
  service: ServiceForTest,
): Promise<{ callers: readonly Caller[]; samples: readonly ListedClaim[] }> {
  const { db } = service.context;
  const samples: ListedClaim[] = [];
  const organizations = await db.selectFrom('organizations').selectAll().orderBy('kind').execute();
  const callers: Caller[] = organizations.map(({ id, client_id, kind, members }) => ({
    clientId: client_id,
    organizationId: id,
    kind,
    members,
  }));
  const insurers = callers.filter(({ kind }) => kind === 'insurer');
  const experts = callers.filter(({ kind }) => kind === 'expert');
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < count; number += 1) {
      const text = texts[number % texts.length] ?? '';
      const other = texts[(number * 7) % texts.length] ?? '';
      const payload = {
        note: text,
        deep: [{ value: other }, number, null, true],
        inspectionType: usedTypes[Math.floor(number / 7) % 3],
      };
      // Four claims are created in the same millisecond.
      const act = { at: firstAt + Math.floor(number / 4), by: 'test' };
      const claim = await createClaim(
        transaction,
        {
          id: randomUUID(),
          category: categories[number % 4] ?? 'special',
          payloadJson: JSON.stringify(payload),
          insurerOrganizationId: insurers[number % 5 === 0 ? 1 : 0]?.organizationId ?? '',
        },
        act,
      );
      const row = await changeClaim(
        transaction,
        claim,
        act,
        {
          status: caseStatuses[number % caseStatuses.length] ?? 'Created',
          expert_organization_id: experts[Math.floor(number / 2) % 3]?.organizationId ?? null,
          completed_at: number % 3 === 1 ? firstAt + (number % 40) : null,
          last_report_approved_at: number % 7 < 3 ? firstAt + (number % 30) : null,
        },
        [],
      );
      samples.push({
        row,
        id: row.id,
        status: row.status,
        category: row.category,
        inspectionType: row.category === 'fraud' ? '' : (payload.inspectionType ?? ''),
        createdAt: row.created_at,
        lastChangedAt: row.last_changed_at,
        completedAt: row.completed_at,
        lastReportApprovedAt: row.last_report_approved_at,
        values: [row.external_key, text, other, String(number), payload.inspectionType ?? ''],
      });
    }
  });
  return { callers, samples };
}

/** Times before, between and after those of the claims, in milliseconds since 1970. */
export const listedTimes = [0, 9, 20, 39, 50].map((ms) => firstAt + ms);

/** Generates parts of the texts, in other spellings, and characters with a meaning in a store. */
const word = fc.oneof(
  fc
    .tuple(fc.constantFrom(...texts, 'SF-2026-000012'), fc.nat(6), fc.integer({ min: 1, max: 9 }))
    .map(([text, from, length]) => text.slice(from, from + length)),
  fc.constantFrom(...texts).map((text) => text.toUpperCase().normalize('NFD').slice(0, 5)),
  fc.nat(14).map((from) => `schifffahrtsgesellschaftskapitän`.slice(from)),
  fc.constantFrom('Schifffahrtsgesellschaftskapitel', 'weit', 'nde'),
  fc.constantFrom('%', '_', '\\', '"', '""', "'", '*', '-', 'OR', 'a*', '(', '\0', 'ss', 'zu'),
);
export const listedWords = fc
  .array(word, { maxLength: 3 })
  .map((words) => words.join(' ').toWellFormed())
  // Only NUL is refused.
  .filter((q) => q.trim() === '' || /[^\s\0]/u.test(q));
