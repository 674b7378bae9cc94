import { contractVersion } from '#shared/desk/contract.ts';
import type { PolicyValue } from '#shared/desk/policy.ts';
import type { DeskInfo } from '#shared/desk/workspace.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Handlers } from '../engine.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { workspaceView } from '../workspace/workspace-view.ts';
import { wholeList } from './case-view.ts';

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
    policy: () => wholeList(policyValues(options.policy ?? {})),
  };
}

/** A policy's leaves with their dotted names, in the policy's order. It contains no secret. */
export function policyValues(policy: object, prefix = ''): PolicyValue[] {
  return Object.entries(policy).flatMap(([name, value]: [string, unknown]): PolicyValue[] => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value))
      return policyValues(value, `${prefix}${name}.`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ name: `${prefix}${name}`, value: text }];
  });
}
