import { editParts } from '#shared/desk/case-choices.ts';
import type { EditInput } from '#shared/desk/cases.ts';
import type { Handlers } from '../engine.ts';
import type { Act } from '../work/outbox-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';

/** What is typed into cases and not queued. */
export function editCalls(opened: () => OpenWorkspace): Handlers['edits'] {
  return {
    list() {
      const items = opened().work.edits.list();
      return { items, total: items.length };
    },
    save(input) {
      save(opened(), input);
      return {};
    },
  };
}

function save(workspace: OpenWorkspace, input: EditInput): void {
  const { work, emit } = workspace;
  const { record, seen, overlay } = findCase(workspace, input.id);
  const target = { caseId: record.id, externalKey: record.externalKey };
  const shown = {
    estimate: seen.amounts.costEstimateRappen,
    approved: seen.amounts.approvedRappen,
    comment: seen.comment,
    reason: null,
  };
  work.together(() => {
    for (const part of editParts) {
      const text = input[part];
      if (text === null) work.edits.forget(record.id, part);
      else if (text !== undefined) work.edits.save(target, part, text, shown[part]);
    }
  });
  workspace.backUpSoon();
  const before = overlay?.unsentEdits ?? [];
  const after = work.overlays.of([record.id]).get(record.id)?.unsentEdits ?? [];
  // A list shows only whether something is typed, and need not read anew at every letter.
  if (before.join() !== after.join()) emit({ type: 'cases.changed', caseIds: [record.id] });
}

/**
 * The act over what the person saw when they began to type it, which may be older than what the case
 * shows now. Forgets the texts that the act sets.
 */
export function takeEdits({ work }: OpenWorkspace, caseId: string, act: Act): Act {
  const began = work.edits.take(caseId, act);
  if (act.kind === 'comment' && typeof began.comment === 'string') {
    return { ...act, seen: began.comment };
  }
  if (act.kind !== 'amounts') return act;
  const { estimate = act.seen.costEstimateRappen, approved = act.seen.approvedRappen } = began;
  const rappen = (value: string | number | null) => (typeof value === 'string' ? null : value);
  return {
    ...act,
    seen: { costEstimateRappen: rappen(estimate), approvedRappen: rappen(approved) },
  };
}
