import { computed, type Ref } from 'vue';
import {
  type OutboxStatement,
  outboxCounts,
  outboxStatements,
} from '#shared/desk/delivery/statements.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import { sayOutbox, sayOutboxCount } from '#shared/i18n/say-statement.ts';
import { usePresent, useTexts } from './use-texts.ts';

/** The sentences about the outbox, the same on every page. */
export function useDeliveryWords(status: Ref<SyncStatus | null>) {
  const { language } = useTexts();
  const now = usePresent();
  const say = (statement: OutboxStatement) =>
    sayOutbox(statement, language.value, now.value.getTime());

  const delivery = computed(() => status.value?.delivery ?? null);
  const statements = computed(() =>
    status.value ? outboxStatements(status.value, now.value.getTime()) : [],
  );
  const said = (isMeant: (statement: OutboxStatement) => boolean) =>
    statements.value.filter(isMeant).map(say).join(' ');
  /**
   * The words say which share of the outgoing work has arrived and when the rest will arrive. They
   * are empty if nothing is being sent.
   */
  const words = computed(() => said((statement) => 'done' in statement));
  /** The words name the work that waits for the insurer. They are empty if no work waits. */
  const awaits = computed(() => said(({ state }) => state === 'awaits'));
  /**
   * The counts say in a few words each what needs the user and what waits. If there is nothing,
   * they say so.
   */
  const counts = computed(() =>
    (status.value ? outboxCounts(status.value) : []).map((statement) => ({
      count: statement.count,
      text: sayOutboxCount(statement, language.value),
    })),
  );
  return { delivery, words, awaits, counts };
}
