import { shallowRef } from 'vue';
import type { Visit, VisitMessages } from '#shared/desk/cases/day.ts';
import { useMessagesStore } from '../stores/messages-store.ts';
import { useTemplatesStore } from '../stores/templates-store.ts';

/** The visit that is announced to its party, and who announces it. */
export function useVisitMessage() {
  const templates = useTemplatesStore();
  const messages = useMessagesStore();
  const announced = shallowRef<Visit | null>(null);
  const from = shallowRef<readonly string[]>([]);
  const own = shallowRef<VisitMessages>({});
  async function announce(visit: Visit): Promise<void> {
    // If the appraiser cannot be read, the text leaves out the name, office and phone number.
    const appraiser = await templates.appraiser().catch(() => null);
    from.value = appraiser ? [appraiser.name, appraiser.office, appraiser.phone] : [];
    // If they cannot be read, the text of the desk is offered, which the user can change.
    own.value = await messages.read().catch(() => ({}));
    announced.value = visit;
  }
  return { announced, from, own, announce };
}
