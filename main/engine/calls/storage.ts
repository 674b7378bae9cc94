import type { Storage } from '#shared/desk/storage.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { storageFigures } from '../workspace/retention.ts';
import type { DeskParts } from './desk.ts';

/** Which of the partner's documents are kept, and what they take. */
export function storageCalls(
  opened: () => OpenWorkspace,
  { settings, emit }: Pick<DeskParts, 'settings' | 'emit'>,
): Handlers['storage'] {
  const storage = (): Storage => {
    const rule = settings.documentRule();
    const { closedDaysIsPolicy, caseDaysIsPolicy } = settings;
    return { ...rule, closedDaysIsPolicy, caseDaysIsPolicy, ...storageFigures(opened(), rule) };
  };
  return {
    get: storage,
    async setRule(input) {
      settings.setDocumentRule(input);
      await opened().purge();
      emit({ type: 'desk.changed' });
      return storage();
    },
    async free() {
      await opened().freeStorage();
      return storage();
    },
  };
}
