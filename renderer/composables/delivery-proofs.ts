import type { DeliveryProof, QueueItem } from '#shared/desk/queue.ts';

/** One delivered request of an act. */
export interface ProvenDelivery {
  readonly externalKey: string;
  /** What was delivered, in the person's words. */
  readonly what: string;
  readonly fileName: string;
  readonly proof: DeliveryProof;
}

/**
 * Every proof of delivery of these acts, oldest first, each request once: a report has one for
 * itself, for each of its documents and for its submission.
 * @param nameOf an act's or a step's kind in the person's words
 */
export function deliveryProofs(
  items: readonly QueueItem[],
  nameOf: (kind: QueueItem['kind'] | QueueItem['steps'][number]['kind']) => string,
): ProvenDelivery[] {
  return items
    .flatMap((item) => {
      const steps = item.steps.flatMap((step) =>
        step.delivered
          ? [
              {
                externalKey: item.externalKey,
                what: nameOf(step.kind),
                fileName: step.fileName ?? '',
                proof: step.delivered,
              },
            ]
          : [],
      );
      if (steps.length > 0 || !item.delivered) return steps;
      const { externalKey, kind, delivered } = item;
      return [{ externalKey, what: nameOf(kind), fileName: '', proof: delivered }];
    })
    .sort((a, b) => a.proof.at.localeCompare(b.proof.at));
}
