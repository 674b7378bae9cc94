import type { Appearance } from '#shared/desk/appearance.ts';
import {
  defaultDocumentRule,
  type DocumentRule,
  type StorageRuleInput,
} from '#shared/desk/storage.ts';
import type { Language } from '#shared/desk/workspace.ts';
import type { EnginePolicy } from '../engine-options.ts';
import { readSettings, writeSettings, type Settings, type WorkspaceRecord } from './settings.ts';

/** What a person chose on this machine, in the home's settings; what IT has set wins over it. */
export class DeskSettings {
  readonly #home: string;
  readonly #policy: EnginePolicy;
  #kept: Settings;

  /** @throws {DeskError} home_newer, settings_invalid */
  constructor(home: string, policy: EnginePolicy) {
    this.#home = home;
    this.#policy = policy;
    this.#kept = readSettings(home);
  }

  /** As they are kept. */
  get kept(): Settings {
    return this.#kept;
  }

  get language(): Language | null {
    return this.#policy.language ?? this.#kept.language;
  }

  setLanguage(language: Language): void {
    this.#save({ ...this.#kept, language });
  }

  get appearance(): Appearance {
    return this.#kept.appearance ?? {};
  }

  setAppearance(appearance: Appearance): void {
    this.#save({ ...this.#kept, appearance: { ...this.#kept.appearance, ...appearance } });
  }

  documentRule(): DocumentRule {
    const { documentRetentionDays } = this.#policy;
    const chosen = this.#kept.documents ?? defaultDocumentRule;
    return documentRetentionDays === undefined
      ? chosen
      : { ...chosen, closedDays: documentRetentionDays };
  }

  get closedDaysIsPolicy(): boolean {
    return this.#policy.documentRetentionDays !== undefined;
  }

  setDocumentRule({ keep, closedDays }: StorageRuleInput): void {
    const before = this.#kept.documents ?? defaultDocumentRule;
    this.#save({
      ...this.#kept,
      documents: {
        keep: keep ?? before.keep,
        closedDays: closedDays === undefined ? before.closedDays : closedDays,
      },
    });
  }

  /** Keeps a workspace as the one that was used last. */
  remember(record: WorkspaceRecord): void {
    const workspaces = this.#kept.workspaces.filter(({ id }) => id !== record.id);
    this.#save({ ...this.#kept, workspaces: [...workspaces, record], activeId: record.id });
  }

  #save(settings: Settings): void {
    // A start that changes nothing needs no room for it.
    if (JSON.stringify(settings) === JSON.stringify(this.#kept)) return;
    writeSettings(this.#home, settings);
    this.#kept = settings;
  }
}
