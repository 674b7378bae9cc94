import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';
import { appearanceSchema } from '#shared/desk/appearance.ts';
import { documentRuleSchema } from '#shared/desk/storage.ts';
import { languages } from '#shared/desk/workspace.ts';

const workspaceRecordSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  kind: z.enum(['practice', 'connection']),
  name: z.string(),
  baseUrl: z.string(),
  audience: z.string(),
  clientId: z.string(),
  scope: z.string().nullable(),
  htuWithoutQuery: z.boolean(),
});
/** A workspace as the home knows it. Holds no secret: those are in the vault under its id. */
export type WorkspaceRecord = z.infer<typeof workspaceRecordSchema>;

const version = 1;
const settingsSchema = z.object({
  version: z.literal(version),
  language: z.enum(languages).nullable(),
  activeId: z.string().nullable(),
  workspaces: z.array(workspaceRecordSchema),
  /** What a person chose for the window; absent until then. */
  appearance: appearanceSchema.optional(),
  /** Absent until a person chose. */
  documents: documentRuleSchema.optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

const fileName = 'settings.json';

/**
 * @throws {DeskError} home_newer; settings_invalid where the file is not what this program wrote (it
 * is left as it is)
 */
export function readSettings(home: string): Settings {
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

/** Replaces the file as a whole: after a crash it holds the old settings or the new. */
export function writeSettings(home: string, settings: Settings): void {
  const file = join(home, fileName);
  const temporary = `${file}.tmp`;
  try {
    const handle = openSync(temporary, 'w', 0o600);
    try {
      writeFileSync(handle, JSON.stringify(settings, null, 2));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
