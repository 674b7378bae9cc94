import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError, storedProblemSchema } from '#shared/desk/contract/errors.ts';
import { parseJson } from '#shared/lib/parse-json.ts';
import type { CameraFolder } from '#shared/desk/reports/camera.ts';
import { askedSchema } from '#shared/desk/setup/diagnostics.ts';
import {
  type Appearance,
  appearanceSchema,
  type ThemeChoice,
} from '#shared/desk/setup/appearance.ts';
import {
  defaultDocumentRule,
  type DocumentRule,
  documentRuleSchema,
  caseDaysSchema,
  type StorageRuleInput,
} from '#shared/desk/setup/storage.ts';
import { type VisitMessages, visitMessagesSchema } from '#shared/desk/cases/day.ts';
import type { OwnRule } from '#shared/desk/cases/own-cases.ts';
import type { LockableSetting } from '#shared/desk/setup/policy.ts';
import {
  decideLanguage,
  type Language,
  languages,
  type LanguageSources,
} from '#shared/i18n/language.ts';
import { replaceFile } from '../disk/write-file.ts';
import type { DeskPolicy } from '../policy-schema.ts';

export const workspaceRecordSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  kind: z.enum(['practice', 'connection']),
  name: z.string(),
  baseUrl: z.string(),
  audience: z.string(),
  clientId: z.string(),
  scope: z.string().nullable(),
  htuWithoutQuery: z.boolean(),
  /**
   * The partner's name for the parameter; null if it is lastChangedSince; absent in settings of
   * earlier versions.
   */
  changedSinceParameter: z.string().nullable().default(null),
});
/**
 * A workspace as the home stores it. It contains no secret; secrets are in the vault under its id.
 */
export type WorkspaceRecord = z.infer<typeof workspaceRecordSchema>;

/** The practice workspace without a keychain is in a folder that is removed when the desk quits. */
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
  /** The connection that was refused when it was set up; absent once a connection works. */
  failedConnection: failedConnectionSchema.optional(),
  /** The user's choices for the window; absent until the user makes one. */
  appearance: appearanceSchema.optional(),
  /** The rule for documents; absent until the user chooses one. */
  documents: documentRuleSchema.extend({ caseDays: caseDaysSchema.default(null) }).optional(),
  /** Whether scans are recognized automatically; absent until the user chooses. */
  textRecognition: z.boolean().optional(),
  /** The user's own messages before a visit; absent until the user writes one. */
  visitMessages: visitMessagesSchema.optional(),
  /** The folder with new photos; absent until the user chooses one. */
  watchedFolder: z.string().nullable().optional(),
  /** Where a telephone was last served; absent before the first time. */
  telephonePlace: z.object({ address: z.string(), port: z.int() }).optional(),
  /**
   * The backups; absent until the user chooses a folder, or until the first automatic backup by
   * policy.
   */
  backups: z
    .object({
      folder: z.string().nullable(),
      /** The results of the last backups, by workspace. */
      made: z.record(z.string(), automaticBackupSchema),
    })
    .optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsFile = 'settings.json';
/** The versions before the last change, newest first. */
export const earlierFiles = ['settings.1.json', 'settings.2.json', 'settings.3.json'] as const;
/** A file that could not be read is kept under this name. */
const damagedFile = 'settings.damaged.json';

interface ReadSettings {
  readonly settings: Settings;
  /** What was wrong with the file; null for a sound file, and for a home without any settings. */
  readonly fault: 'missing' | 'damaged' | null;
}

/**
 * Reads the settings. If the file is missing or damaged, the newest earlier version is used. No
 * file is changed.
 * @throws {DeskError} home_newer
 */
function readSettings(home: string): ReadSettings {
  const text = readIfThere(join(home, settingsFile));
  const current = text === null ? null : parseSettings(text);
  if (current) return { settings: current, fault: null };
  for (const name of earlierFiles) {
    const earlier = parseSettings(readIfThere(join(home, name)) ?? '');
    if (earlier) return { settings: earlier, fault: text === null ? 'missing' : 'damaged' };
  }
  const settings: Settings = { version, language: null, activeId: null, workspaces: [] };
  return { settings, fault: text === null ? null : 'damaged' };
}

/** The content of a file; null if there is none. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The settings in a text; null if this program did not write it. @throws {DeskError} home_newer */
function parseSettings(text: string): Settings | null {
  const value = parseJson(text);
  const known = z.object({ version: z.number() }).safeParse(value);
  if (known.success && known.data.version > version) {
    throw new DeskError('home_newer', { found: known.data.version, known: version });
  }
  return settingsSchema.safeParse(value).data ?? null;
}

/**
 * Replaces the settings. A sound file becomes the newest earlier version, so that a damaged one
 * never displaces a sound one.
 */
function writeSettings(home: string, settings: Settings): void {
  const file = join(home, settingsFile);
  const before = readIfThere(file);
  if (before !== null && parseSettings(before) === null) renameSync(file, join(home, damagedFile));
  else if (before !== null) {
    const paths = earlierFiles.map((name) => join(home, name));
    for (let at = paths.length - 1; at > 0; at -= 1) {
      const [newer, older] = [paths[at - 1] ?? '', paths[at] ?? ''];
      if (existsSync(newer)) renameSync(newer, older);
    }
    replaceFile(paths[0] ?? '', before);
  }
  replaceFile(file, JSON.stringify(settings, null, 2));
}

/** The language in the settings of a home; null if they contain none or cannot be read. */
export function languageInSettings(home: string): Language | null {
  try {
    return readSettings(home).settings.language;
  } catch {
    // The engine reports the error when it opens the home.
    return null;
  }
}

/** The user's theme in the settings of a home; the system's if they contain none or cannot be read. */
export function themeInSettings(home: string): ThemeChoice {
  try {
    return readSettings(home).settings.appearance?.theme ?? 'system';
  } catch {
    // The engine reports the error when it opens the home.
    return 'system';
  }
}

/** Whether the settings of a home contain a connection; false if they cannot be read. */
export function hasConnection(home: string): boolean {
  try {
    return readSettings(home).settings.workspaces.some(({ kind }) => kind === 'connection');
  } catch {
    // The engine reports the error when it opens the home.
    return false;
  }
}

/** The languages that a shell knows: `--lang`, and the one that the system prefers. */
export type ShellLanguages = Pick<LanguageSources, 'argument' | 'system'>;

/** The user's choices on this machine, stored in the home; IT's policy wins over them. */
export class DeskSettings {
  readonly #home: string;
  readonly #policy: DeskPolicy;
  #languages: ShellLanguages;
  #stored: Settings;
  /** What was wrong with the file when the desk was opened. */
  readonly fault: ReadSettings['fault'];

  /** @throws {DeskError} home_newer */
  constructor(home: string, policy: DeskPolicy, languages: ShellLanguages = { system: [] }) {
    this.#home = home;
    this.#policy = policy;
    this.#languages = languages;
    const { settings, fault } = readSettings(home);
    this.#stored = settings;
    this.fault = fault;
  }

  /** The settings in their stored form. */
  get stored(): Settings {
    return this.#stored;
  }

  /** Whether IT has set this value, so that the user cannot change it. */
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

  /** A choice in the settings overrides the argument of this start. */
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

  get visitMessages(): VisitMessages {
    return this.#policy.visitMessage ?? this.#stored.visitMessages ?? {};
  }

  setVisitMessages(messages: VisitMessages): void {
    this.#save({ ...this.#stored, visitMessages: messages });
  }

  get watchedFolder(): CameraFolder {
    return { folder: this.#policy.watchedFolder ?? this.#stored.watchedFolder ?? null };
  }

  /** Whether a telephone may be used, and on which networks; null: on every private one. */
  get telephone(): { isOn: boolean; networks: readonly string[] | null } {
    const { enabled = true, networks = null } = this.#policy.telephone ?? {};
    return { isOn: enabled, networks };
  }

  get telephonePlace(): Settings['telephonePlace'] {
    return this.#stored.telephonePlace;
  }

  setTelephonePlace(telephonePlace: NonNullable<Settings['telephonePlace']>): void {
    this.#save({ ...this.#stored, telephonePlace });
  }

  /** The folder of the office's templates, which only IT can set. */
  get templateFolder(): string | null {
    return this.#policy.templateFolder ?? null;
  }

  setWatchedFolder(folder: string | null): void {
    this.#save({ ...this.#stored, watchedFolder: folder });
  }

  /**
   * The folder and last result of the automatic backup of a workspace. Without a folder the backup
   * is off.
   */
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

  /**
   * Writes the settings again after the file was missing, damaged or older than the workspaces.
   * @param found connections that the settings did not know, the one that was used last first
   * @param isThere whether a connection has data; an earlier version of the settings may name one
   *   that was removed since
   */
  heal(found: readonly WorkspaceRecord[], isThere: (id: string) => boolean): void {
    const { workspaces: known, activeId: last } = this.#stored;
    const kept = known.filter(({ id, kind }) => kind === 'practice' || isThere(id));
    const workspaces = [...(this.fault === null ? known : kept), ...found];
    const isKnown = workspaces.some(({ id }) => id === last);
    const activeId = isKnown ? last : (found[0]?.id ?? null);
    writeSettings(this.#home, { ...this.#stored, workspaces, activeId });
    this.#stored = { ...this.#stored, workspaces, activeId };
  }

  setFailedConnection(failed: FailedConnection | null): void {
    const { failedConnection: _, ...stored } = this.#stored;
    this.#save({ ...stored, ...(failed && { failedConnection: failed }) });
  }

  /** Changes a known workspace and leaves its position. */
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
    // Unchanged settings are not written, so that a start needs no disk space.
    if (JSON.stringify(settings) === JSON.stringify(this.#stored)) return;
    writeSettings(this.#home, settings);
    this.#stored = settings;
  }
}
