import { computed } from 'vue';
import { amountMaxRappen, commentMaxLength } from '#shared/api/limits.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { parseAmount } from '#shared/lib/money.ts';
import { useCasesStore } from '../stores/cases-store.ts';
import { useEditsStore } from '../stores/edits-store.ts';
import { useTexts } from './use-texts.ts';

export const amountParts = ['estimate', 'approved'] as const;

/** The two amounts of a case as typed, and their saving. */
export function useTypedAmounts(detail: () => CaseDetail | undefined) {
  const { francs } = useTexts();
  const cases = useCasesStore();
  const edits = useEditsStore();
  const idOf = () => detail()?.id ?? '';
  const field = (part: (typeof amountParts)[number], saved: () => number | null) => {
    const text = computed({
      get: () => edits.edits.get(idOf())?.[part] ?? francs(saved()),
      set: (typed) => edits.change(idOf(), part, typed),
    });
    const amount = computed(() => parseAmount(text.value, amountMaxRappen));
    // The same amount may be typed in another format, or in that of another language.
    const dirty = computed(() => !amount.value.ok || amount.value.rappen !== saved());
    return { text, amount, dirty };
  };
  const estimate = field('estimate', () => detail()?.costEstimateRappen ?? null);
  const approved = field('approved', () => detail()?.approvedRappen ?? null);
  const dirty = computed(() => estimate.dirty.value || approved.dirty.value);
  /** The amounts; null if one of the texts is not an amount. */
  const amounts = computed(() =>
    estimate.amount.value.ok && approved.amount.value.ok
      ? {
          costEstimateRappen: estimate.amount.value.rappen,
          approvedRappen: approved.amount.value.rappen,
        }
      : null,
  );

  /** Saves the amounts. Text that the user types during the save stays in the field. */
  async function save(): Promise<void> {
    const both = amounts.value;
    if (!both || !dirty.value) return;
    const id = idOf();
    const saved = edits.edits.get(id);
    await cases.setAmounts(id, both);
    edits.forget(id, amountParts, saved);
  }
  return { estimate, approved, dirty, amounts, save };
}

/** The comment on a case as typed, and its saving. */
export function useTypedComment(detail: () => CaseDetail | undefined) {
  const cases = useCasesStore();
  const edits = useEditsStore();
  const idOf = () => detail()?.id ?? '';
  const saved = () => detail()?.expertComment ?? '';
  const text = computed({
    get: () => edits.edits.get(idOf())?.comment ?? saved(),
    set: (typed) => edits.change(idOf(), 'comment', typed),
  });
  const dirty = computed(() => text.value !== saved());
  const valid = computed(() => text.value.length <= commentMaxLength);

  async function save(): Promise<void> {
    if (!dirty.value || !valid.value) return;
    const id = idOf();
    const edit = edits.edits.get(id);
    await cases.setComment(id, text.value);
    edits.forget(id, ['comment'], edit);
  }
  return { text, dirty, valid, save };
}
