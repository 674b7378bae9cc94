import { computed, type Ref } from 'vue';
import type { SyncStatus } from '#shared/desk/sync.ts';
import { useMoments, useTexts } from './use-texts.ts';

/** The engine's facts of the delivery in words, the same on every page. */
export function useDeliveryWords(status: Ref<SyncStatus | null>) {
  const { t } = useTexts();
  const { now, moment, second } = useMoments();
  /** A time that passed while nothing was heard of the engine is no promise any more. */
  const ahead = (iso: string | null): iso is string =>
    iso !== null && Date.parse(iso) >= now.value.getTime();

  const delivery = computed(() => status.value?.delivery ?? null);
  /** How much of what goes out has arrived, and when the rest has; empty if nothing goes out. */
  const words = computed(() => {
    const facts = delivery.value;
    if (!facts || facts.goesOut === 0) return '';
    const { done, total, nextAt, doneAt } = facts;
    if (status.value?.paused) return t('queueProgress.part', { done, total });
    return [
      t('queueProgress.part', { done, total }),
      ...(ahead(nextAt) && ahead(doneAt)
        ? [t('queueProgress.next', { time: second(nextAt) })]
        : []),
      ahead(doneAt)
        ? t('queueProgress.done', { time: moment(doneAt) })
        : t(facts.doneAt === null ? 'queueProgress.noTime' : 'queueProgress.soon'),
    ].join(', ');
  });
  /** What waits for the insurer; empty if nothing does. */
  const awaits = computed(() =>
    delivery.value && delivery.value.awaits > 0
      ? t('queueProgress.awaits', { n: delivery.value.awaits })
      : '',
  );
  return { delivery, words, awaits };
}
