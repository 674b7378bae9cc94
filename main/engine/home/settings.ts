import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError, storedProblemSchema } from '#shared/desk/errors.ts';
import type { CameraFolder } from '#shared/desk/camera.ts';
import { askedSchema } from '#shared/desk/diagnostics.ts';
import { type Appearance, appearanceSchema } from '#shared/desk/appearance.ts';
import {
  defaultDocumentRule,
  type DocumentRule,
  documentRuleSchema,
  caseDaysSchema,
  type StorageRuleInput,
} from '#shared/desk/storage.ts';
import type { OwnRule } from '#shared/desk/own-cases.ts';
import type { LockableSetting } from '#shared/desk/policy.ts';
import {
  decideLanguage,
  type Language,
  languages,
  type LanguageSources,
} from '#shared/i18n/language.ts';
import { replaceFile } from '../disk/write-file.ts';
import type { DeskPolicy } from '../policy-schema.ts';

const workspaceRecordSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  kind: z.enum(['practice', 'connection']),
  name: z.string(),
  baseUrl: z.string(),
  audience: z.string(),
  clientId: z.string(),
  scope: z.string().nullable(),
  htuWithoutQuery: z.boolean(),
  /** Null for lastChangedSince; absent in settings of former versions. */
  changedSinceParameter: z.string().nullable().default(null),
});
/** A workspace as the home stores it. Contains no secret: those are in the vault under its id. */
export type WorkspaceRecord = z.infer<typeof workspaceRecordSchema>;

/** Practice without a keychain lives in a folder that is removed when the desk ends. */
export const practiceSessionId = 'practice-session';

const automaticBackupSchema = z.object({
  lastAt: z.string().nullable(),
  problem: storedProblemSchema.nullable(),
  problemAt: z.string().nullable(),
});
type MadeBackup = z.infer<typeof automaticBackupSchema>;
export const noBackup: MadeBackup = { lastAt: null, problem: null, problemAt: null };

const failedConnectionSchema = z.object({
  record: workspaceRecordSchema,
  at: z.string(),
  problem: storedProblemSchema,
  asked: askedSchema.nullable(),
});
type FailedConnection = z.infer<typeof failedConnectionSchema>;

const version = 1;
const settingsSchema = z.object({
  version: z.literal(version),
  language: z.enum(languages).nullable(),
  activeId: z.string().nullable(),
  workspaces: z.array(workspaceRecordSchema),
  /** Refused when it was set up; absent once a connection works. */
  failedConnection: failedConnectionSchema.optional(),
  /** What the user chose for the window; absent until then. */
  appearance: appearanceSchema.optional(),
  /** Absent until the user chooses. */
  documents: documentRuleSchema.extend({ caseDays: caseDaysSchema.default(null) }).optional(),
  /** Whether scans are recognized without being asked for; absent until the user chooses. */
  textRecognition: z.boolean().optional(),
  /** Of photos; absent until the user chooses one. */
  watchedFolder: z.string().nullable().optional(),
  /** Absent until the user chooses a folder, or the first automatic backup by policy. */
  backups: z
    .object({
      folder: z.string().nullable(),
      /** How the last ones went, by workspace. */
      made: z.record(z.string(), automaticBackupSchema),
    })
    .optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

const fileName = 'settings.json';

/**
 * @throws {DeskError} home_newer; settings_invalid if the file is not what this program wrote (it
 * is left unchanged)
 */
function readSettings(home: string): Settings {
  let text: string;
  try {
    text = readFileSync(join(home, fileName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { version, language: null, activeId: null, workspaces: [] };
    }
    throw error;
  }
  const value = parseJson(text);
  const known = z.object({ version: z.number() }).safeParse(value);
  if (known.success && known.data.version > version) {
    throw new DeskError('home_newer', { found: known.data.version, known: version });
  }
  const settings = settingsSchema.safeParse(value);
  if (!settings.success) throw new DeskError('settings_invalid', { fileName });
  return settings.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function writeSettings(home: string, settings: Settings): void {
  replaceFile(join(home, fileName), JSON.stringify(settings, null, 2));
}

/** The language that a home's settings name; null if they name none or cannot be read. */
export function languageInSettings(home: string): Language | null {
  try {
    return readSettings(home).language;
  } catch {
    // The engine reports it when it opens the home.
    return null;
  }
}

/** Whether a home's settings name a connection; not if they cannot be read. */
export function hasConnection(home: string): boolean {
  try {
    return readSettings(home).workspaces.some(({ kind }) => kind === 'connection');
  } catch {
    // The engine reports it when it opens the home.
    return false;
  }
}

/** What a shell knows of the language: `--lang`, and what the system prefers. */
export type ShellLanguages = Pick<LanguageSources, 'argument' | 'system'>;

/** The user's choices on this machine, stored in the home; IT's policy wins over them. */
export class DeskSettings {
  readonly #home: string;
  readonly #policy: DeskPolicy;
  #languages: ShellLanguages;
  #stored: Settings;

  /** @throws {DeskError} home_newer, settings_invalid */
  constructor(home: string, policy: DeskPolicy, languages: ShellLanguages = { system: [] }) {
    this.#home = home;
    this.#policy = policy;
    this.#languages = languages;
    this.#stored = readSettings(home);
  }

  /** As they are stored. */
  get stored(): Settings {
    return this.#stored;
  }

  /** Whether IT has set this value, so that the user cannot. */
  isPolicy(name: keyof DeskPolicy & LockableSetting): boolean {
    return this.#policy[name] !== undefined;
  }

  get language(): Language {
    return decideLanguage({
      ...this.#languages,
      policy: this.#policy.language,
      setting: this.#stored.language,
    });
  }

  /** A choice in the settings ends what the argument of this start set. */
  setLanguage(language: Language): void {
    this.#languages = { system: this.#languages.system };
    this.#save({ ...this.#stored, language });
  }

  get appearance(): Appearance {
    return this.#stored.appearance ?? {};
  }

  setAppearance(appearance: Appearance): void {
    this.#save({ ...this.#stored, appearance: { ...this.#stored.appearance, ...appearance } });
  }

  documentRule(): DocumentRule {
    const { documentRetentionDays, caseRetentionDays } = this.#policy;
    const chosen = this.#stored.documents ?? defaultDocumentRule;
    return {
      keep: chosen.keep,
      closedDays: documentRetentionDays ?? chosen.closedDays,
      caseDays: caseRetentionDays ?? chosen.caseDays,
    };
  }

  setDocumentRule({ keep, closedDays, caseDays }: StorageRuleInput): void {
    const before = this.#stored.documents ?? defaultDocumentRule;
    this.#save({
      ...this.#stored,
      documents: {
        keep: keep ?? before.keep,
        closedDays: closedDays === undefined ? before.closedDays : closedDays,
        caseDays: caseDays === undefined ? before.caseDays : caseDays,
      },
    });
  }

  get textRecognition(): { isAllowed: boolean; isAutomatic: boolean } {
    const { textRecognition: policy } = this.#policy;
    return {
      isAllowed: policy ?? true,
      isAutomatic: policy ?? this.#stored.textRecognition ?? true,
    };
  }

  setTextRecognition(isAutomatic: boolean): void {
    this.#save({ ...this.#stored, textRecognition: isAutomatic });
  }

  get watchedFolder(): CameraFolder {
    return { folder: this.#policy.watchedFolder ?? this.#stored.watchedFolder ?? null };
  }

  /** Of the office's templates; only IT sets it. */
  get templateFolder(): string | null {
    return this.#policy.templateFolder ?? null;
  }

  setWatchedFolder(folder: string | null): void {
    this.#save({ ...this.#stored, watchedFolder: folder });
  }

  /** Folder and result of the automatic backup of a workspace; without a folder it is off. */
  automaticBackup(workspaceId: string): MadeBackup & { folder: string | null } {
    const { folder = null, made = {} } = this.#stored.backups ?? {};
    const last = made[workspaceId] ?? noBackup;
    return { ...last, folder: this.#policy.backupFolder ?? folder };
  }

  setBackupFolder(folder: string | null): void {
    const made = this.#stored.backups?.made ?? {};
    this.#save({ ...this.#stored, backups: { folder, made } });
  }

  keepAutomaticBackup(workspaceId: string, last: MadeBackup): void {
    const { folder = null, made = {} } = this.#stored.backups ?? {};
    this.#save({ ...this.#stored, backups: { folder, made: { ...made, [workspaceId]: last } } });
  }

  /** The rule of own cases that the organization set; null if it set none. */
  get ownRulePolicy(): OwnRule | null {
    const rule = this.#policy.ownCases;
    if (rule === undefined) return null;
    return {
      mode: 'rule',
      postalCodes: (rule.postalCodes ?? []).join('\n'),
      categories: rule.categories ?? [],
      responsibles: rule.responsibles ?? [],
    };
  }

  /** Stores a workspace as the one that was used last. */
  remember(record: WorkspaceRecord): void {
    const workspaces = this.#stored.workspaces.filter(({ id }) => id !== record.id);
    this.#save({ ...this.#stored, workspaces: [...workspaces, record], activeId: record.id });
  }

  setFailedConnection(failed: FailedConnection | null): void {
    const { failedConnection: _, ...stored } = this.#stored;
    this.#save({ ...stored, ...(failed && { failedConnection: failed }) });
  }

  /** Changes a workspace that is known, in its place. */
  change(record: WorkspaceRecord): void {
    const workspaces = this.#stored.workspaces.map((one) => (one.id === record.id ? record : one));
    this.#save({ ...this.#stored, workspaces });
  }

  forget(id: string): void {
    const { workspaces, activeId, backups } = this.#stored;
    const made = Object.entries(backups?.made ?? {}).filter(([workspaceId]) => workspaceId !== id);
    this.#save({
      ...this.#stored,
      workspaces: workspaces.filter((one) => one.id !== id),
      activeId: activeId === id ? null : activeId,
      ...(backups && { backups: { ...backups, made: Object.fromEntries(made) } }),
    });
  }

  #save(settings: Settings): void {
    // A start that changes nothing needs no disk space.
    if (JSON.stringify(settings) === JSON.stringify(this.#stored)) return;
    writeSettings(this.#home, settings);
    this.#stored = settings;
  }
}
