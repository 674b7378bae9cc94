import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { DeskError } from '#shared/desk/errors.ts';
import { type ConnectionInput, connectionInputSchema } from '#shared/desk/workspace.ts';

/**
 * Connects with what IT laid into a file for one use, and deletes the file once the key is in the
 * keychain. The file is renamed first: one that could not be deleted is not taken, because its key
 * would lie there for everyone. A crash in between leaves the renamed file, which the next start takes.
 * @returns whether there was such a file
 * @throws {DeskError} policy_invalid if it cannot be read, used or deleted (it stays then); what
 * `connect` throws
 */
export async function takeProvisioning(
  file: string,
  fromPolicy: Partial<ConnectionInput>,
  connect: (input: ReturnType<typeof connectionInputSchema.parse>) => Promise<unknown>,
): Promise<boolean> {
  const taking = `${file}.taking`;
  if (!existsSync(taking)) {
    if (!existsSync(file)) return false;
    orSay(file, 'not_deletable', () => renameSync(file, taking));
  }
  try {
    const text = orSay(file, 'unreadable', () => readFileSync(taking, 'utf8'));
    const value = orSay(file, 'json', (): unknown => JSON.parse(text.replace(/^\uFEFF/, '')));
    const entered = typeof value === 'object' ? { ...value, ...fromPolicy } : value;
    const input = connectionInputSchema.safeParse(entered);
    if (!input.success) {
      const { issues } = input.error;
      throw invalid(file, issues.map(({ code }) => code).join('; '), [
        ...new Set(issues.map(({ path }) => path.join('.'))),
      ]);
    }
    await connect(input.data);
  } catch (error) {
    renameSync(taking, file);
    throw error;
  }
  unlinkSync(taking);
  return true;
}

function invalid(fileName: string, detail: string, places: readonly string[] = []): DeskError {
  const place = ['provisioningFile', ...places].join(' · ');
  return new DeskError('policy_invalid', { fileName, place, detail });
}

function orSay<Result>(file: string, rule: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    // Without the cause: a parser quotes what it read, and that is a key.
    throw invalid(file, rule);
  }
}
