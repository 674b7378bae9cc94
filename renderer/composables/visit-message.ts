import { shallowRef } from 'vue';
import type { Visit } from '#shared/desk/cases/day.ts';
import { useTemplatesStore } from '../stores/templates-store.ts';

/** The visit that is announced to its party, and who announces it. */
export function useVisitMessage() {
  const templates = useTemplatesStore();
  const announced = shallowRef<Visit | null>(null);
  const from = shallowRef<readonly string[]>([]);
  async function announce(visit: Visit): Promise<void> {
    // If the appraiser cannot be read, the text leaves out the name, office and phone number.
    const appraiser = await templates.appraiser().catch(() => null);
    from.value = appraiser ? [appraiser.name, appraiser.office, appraiser.phone] : [];
    announced.value = visit;
  }
  return { announced, from, announce };
}
