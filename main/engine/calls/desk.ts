import { contractVersion } from '#shared/desk/contract/contract.ts';
import type { DeskInfo } from '#shared/desk/setup/workspace.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Handlers } from '../engine.ts';
import { policyValues } from '../policy-schema.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { workspaceView } from '../workspace/workspace-view.ts';
import { wholeList } from '#shared/lib/whole-list.ts';

/** @throws {DeskError} no_connection, keychain_entry_lost if no workspace is open */
export function deskInfo({ options, settings, current }: DeskParts): DeskInfo {
  const { record } = current.workspace;
  const practice = options.practice !== undefined;
  const others = settings.stored.workspaces.filter(
    ({ id, kind }) => id !== record.id && (practice || kind === 'connection'),
  );
  return {
    version: packageJson.version,
    contractVersion,
    workspace: workspaceView(record),
    workspaces: [record, ...others].map((one) => workspaceView(one)),
    practice,
  };
}

export function deskCalls(parts: DeskParts): Handlers['desk'] {
  const { options, settings, emit } = parts;
  return {
    info: () => deskInfo(parts),
    language: () => settings.language,
    setLanguage({ language }) {
      settings.setLanguage(language);
      emit({ type: 'desk.changed' });
      return settings.language;
    },
    appearance: () => settings.appearance,
    setAppearance(appearance) {
      settings.setAppearance(appearance);
      return settings.appearance;
    },
    update: async () => (await options.update?.(null)) ?? null,
    installUpdate: async ({ when }) => (await options.update?.(when)) ?? null,
    async policy() {
      // The texts are loaded only for a page that shows them.
      const { policyTexts } = await import('#shared/i18n/catalogue.ts');
      const titles = Object.entries(policyTexts[settings.language]);
      const titleOf = (value: string) =>
        titles.find(([name]) => value === name || value.startsWith(`${name}.`))?.[1].title;
      const values = policyValues(options.policy ?? {});
      return wholeList(values.map((one) => ({ ...one, title: titleOf(one.name) })));
    },
  };
}
