import { computed, type Ref } from 'vue';
import { type OutboxStatement, outboxCounts, outboxStatements } from '#shared/desk/statements.ts';
import type { SyncStatus } from '#shared/desk/sync.ts';
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
  /** How much of what goes out has arrived, and when the rest has; empty if nothing goes out. */
  const words = computed(() => said((statement) => 'done' in statement));
  /** What waits for the insurer; empty if nothing does. */
  const awaits = computed(() => said(({ state }) => state === 'awaits'));
  /** What needs the user and what waits, in a few words each; one that says so if nothing does. */
  const counts = computed(() =>
    (status.value ? outboxCounts(status.value) : []).map((statement) => ({
      count: statement.count,
      text: sayOutboxCount(statement, language.value),
    })),
  );
  return { delivery, words, awaits, counts };
}
