import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { OrganizationContact } from '#shared/api/case.ts';
import { isoTime } from '#shared/api/conventions.ts';
import { chfOrNull, savingOf } from '#shared/lib/money.ts';
import type { Caller } from '../../front/admit.ts';
import type { ClaimPayloadsTable, ClaimsTable, Database } from '../store/tables.ts';

/** A record with its payload. */
export type ClaimWithPayload = ClaimsTable & Pick<ClaimPayloadsTable, 'payload_literal'>;

/**
 * Renders records as the caller sees them, as cases for an expert and as claims for an insurer. The
 * result is JSON in UTF-8, with two pieces for each record.
 */
export async function renderClaims(
  db: Kysely<Database>,
  caller: Caller,
  claims: readonly ClaimWithPayload[],
): Promise<Buffer[][]> {
  const isExpert = caller.kind === 'expert';
  const contacts = await contactsOf(
    db,
    claims.map((claim) =>
      isExpert ? claim.insurer_organization_id : claim.expert_organization_id,
    ),
  );
  return claims.map((claim) => {
    const view = {
      ...commonView(claim),
      ...(isExpert
        ? { Insurer: contactOf(contacts, claim.insurer_organization_id) }
        : {
            Expert:
              claim.expert_organization_id === null
                ? null
                : contactOf(contacts, claim.expert_organization_id),
            LastReportApprovedAt:
              claim.last_report_approved_at === null
                ? null
                : isoTime(claim.last_report_approved_at),
          }),
    };
    const head = Buffer.from(`${JSON.stringify(view).slice(0, -1)},"PayloadJson":`);
    return [head, claim.payload_literal, end];
  });
}

const end = Buffer.from('}');

function commonView(claim: ClaimsTable) {
  const { cost_estimate_rappen: estimate, approved_rappen: approved } = claim;
  const lastChangedAt = isoTime(claim.last_changed_at);
  return {
    Id: claim.id,
    ExternalKey: claim.external_key,
    Category: claim.category,
    Status: claim.status,
    CreatedAt: isoTime(claim.created_at),
    UpdatedAt: lastChangedAt,
    ExpertComment: claim.expert_comment,
    ArchiveState: claim.archived === 1,
    HailDriveInAccepted: claim.hail_drive_in_accepted === 1,
    LastChangedAt: lastChangedAt,
    CostEstimateAmount: chfOrNull(estimate),
    ApprovedAmount: chfOrNull(approved),
    SavingsAmount: chfOrNull(savingOf(estimate, approved)),
  };
}

const contactsRemembered = 5000;
/** Contacts by the organization, whose id no other store has. They never change. */
const remembered = new LRUCache<string, OrganizationContact>({ max: contactsRemembered });

/** The names and contacts of organizations. */
async function contactsOf(
  db: Kysely<Database>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, OrganizationContact>> {
  const contacts = new Map<string, OrganizationContact>();
  const wanted = new Set<string>();
  for (const id of ids) {
    if (id === null) continue;
    const known = remembered.get(id);
    if (known) contacts.set(id, known);
    else wanted.add(id);
  }
  if (wanted.size === 0) return contacts;
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'responsible_name', 'responsible_email', 'responsible_phone'])
    .where('id', 'in', [...wanted])
    .execute();
  for (const row of rows) {
    const contact = {
      Name: row.name,
      Responsible: {
        Name: row.responsible_name,
        Email: row.responsible_email,
        Phone: row.responsible_phone,
      },
    };
    contacts.set(row.id, contact);
    remembered.set(row.id, contact);
  }
  return contacts;
}

function contactOf(
  contacts: ReadonlyMap<string, OrganizationContact>,
  id: string,
): OrganizationContact {
  const contact = contacts.get(id);
  // A claim's column refers to the organization, and organizations are never deleted.
  if (!contact) throw new Error('an organization of a claim is gone');
  return contact;
}
