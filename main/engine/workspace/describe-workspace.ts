import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import { diskProblem } from '#shared/desk/contract/errors.ts';
import { listBackups } from '../database/backup.ts';
import { isCorruption, openDatabase } from '../database/sqlite.ts';
import { jsonValue, StoredValues } from '../database/stored-values.ts';
import { workspaceRecordSchema, type WorkspaceRecord } from '../home/settings.ts';
import type { Vault } from '../keys/vault.ts';
import { hasDatabaseKey, openDatabaseKey } from '../keys/workspace-keys.ts';
import { workspaceValueName } from '../work/local-data.ts';

/** What a workspace says of itself, in its encrypted store. */
const descriptionSchema = workspaceRecordSchema.extend({ createdAt: z.string() });
type Description = z.infer<typeof descriptionSchema>;
const descriptionValue = jsonValue(workspaceValueName, descriptionSchema);

/**
 * Has an open workspace describe itself, so that the settings can be made again from it. Nothing is
 * written if it does already.
 */
export function describeWorkspace(
  values: StoredValues,
  record: WorkspaceRecord,
  nowMs: number,
): void {
  if (record.kind === 'practice') return;
  const before = readValue(values);
  const createdAt = before?.createdAt ?? new Date(nowMs).toISOString();
  const description = descriptionSchema.parse({ ...record, createdAt });
  if (JSON.stringify(before) === JSON.stringify(description)) return;
  try {
    values.set(descriptionValue, description);
  } catch (error) {
    // A full disk must not keep the workspace closed; the next opening writes it.
    if (!diskProblem(error)) throw error;
  }
}

/** The description; null if there is none, or if it is of another version. */
function readValue(values: StoredValues): Description | null {
  try {
    return values.get(descriptionValue);
  } catch {
    return null;
  }
}

/** The description in a closed workspace; of its newest sound backup if its store is damaged. */
export async function readDescription(
  vault: Vault,
  id: string,
  dir: string,
): Promise<Description | null> {
  if (!(await hasDatabaseKey(vault, id))) return null;
  const keyHex = await openDatabaseKey(vault, id, true);
  const backups = join(dir, 'backups');
  const copies = listBackups(backups).reverse();
  const files = [join(dir, 'work.db'), ...copies.map((name) => join(backups, name))];
  for (const file of files) {
    const found = readFrom(file, keyHex);
    if (found) return { ...found, id };
  }
  return null;
}

function readFrom(file: string, keyHex: string): Description | null {
  if (!existsSync(file)) return null;
  try {
    const db = openDatabase({ file, keyHex, durability: 'full', readonly: true });
    try {
      return readValue(new StoredValues(db, 'local_values'));
    } finally {
      db.close();
    }
  } catch {
    // A damaged file describes nothing; an older copy may.
    return null;
  }
}

/** Has a closed workspace describe itself, after its address or name was changed. */
export async function describeClosed(
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  record: WorkspaceRecord,
  dir: string,
): Promise<void> {
  const file = join(dir, 'work.db');
  if (!existsSync(file) || !(await hasDatabaseKey(vault, record.id))) return;
  const keyHex = await openDatabaseKey(vault, record.id, true);
  try {
    const db = openDatabase({ file, keyHex, durability: 'full' });
    try {
      describeWorkspace(new StoredValues(db, 'local_values'), record, clock.now());
    } finally {
      db.close();
    }
  } catch (error) {
    // A damaged store is dealt with when it is opened, and then it describes itself.
    if (!isCorruption(error)) throw error;
  }
}
