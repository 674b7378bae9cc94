import type { StoredText, TypedBy, TypedText } from '#shared/desk/typed-text.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/**
 * Stores a typed text and shows it to every window. If another window has a later key, nothing is
 * stored, and that window's text stays.
 */
export function storeTyped(
  { lastKeys, emit }: Pick<OpenWorkspace, 'lastKeys' | 'emit'>,
  text: Omit<TypedText, 'window'>,
  by: TypedBy | undefined,
  store: () => void,
): StoredText {
  const { place, id, fileId = '' } = text;
  if (!lastKeys.take(`${place} ${id} ${fileId}`, by)) return { isLate: true };
  store();
  emit({ type: 'typed.changed', ...text, window: by?.window ?? null });
  return { isLate: false };
}
