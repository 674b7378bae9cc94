import { useSettingsStore } from '../stores/settings-store.ts';
import { useTexts } from './use-texts.ts';

/** The values of a connection that the organization can set. */
export type LockableValue =
  | 'baseUrl'
  | 'audience'
  | 'clientId'
  | 'scope'
  | 'htuWithoutQuery'
  | 'changedSinceParameter';

/**
 * The properties of a field: if the organization has set the value, it replaces what is typed, and
 * is read-only.
 */
export function useConnectionLock() {
  const settings = useSettingsStore();
  const { t } = useTexts();
  return (value: LockableValue) =>
    settings.isLocked(`connection.${value}`)
      ? { readonly: true, hint: t('storage.locked'), persistentHint: true }
      : {};
}
