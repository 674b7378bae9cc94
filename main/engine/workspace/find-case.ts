import { DeskError } from '#shared/desk/errors.ts';
import { seenValues } from './case-view.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/**
 * A case by its id or external key, what lies over it, and its values as the person sees them.
 * @throws {DeskError} case_not_found
 */
export function findCase({ cache, work }: Pick<OpenWorkspace, 'cache' | 'work'>, ref: string) {
  const record = cache.cases.find(ref);
  if (!record) throw new DeskError('case_not_found', { id: ref });
  const overlay = work.overlays.of([record.id]).get(record.id);
  return { record, overlay, seen: seenValues(record, overlay) };
}
