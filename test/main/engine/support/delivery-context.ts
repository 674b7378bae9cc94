import type { DeliveryContext } from '#main/engine/sync/delivery-context.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import type { TestDesk } from './test-desk.ts';

/**
 * What a delivery has, over the desk's stores and its partner.
 * @param client operations in place of the partner's own
 */
export const deliveryContext = (
  desk: TestDesk,
  client: Partial<PartnerClient> = {},
): DeliveryContext => ({
  client: { ...desk.partner.createClient(), ...client },
  cases: desk.cache.cases,
  rows: desk.work.outbox.rows,
  deliveries: desk.work.outbox.deliveries,
  trace: desk.work.outbox.trace,
  drafts: desk.work.drafts,
  files: desk.files,
  clock: desk.clock,
  random: desk.random,
  log: desk.log,
  signal: new AbortController().signal,
  onRow: () => undefined,
  onProgress: () => undefined,
});
