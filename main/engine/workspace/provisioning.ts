import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import type { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  type ConnectionInput,
  connectionInputSchema,
  enrolInputSchema,
} from '#shared/desk/setup/workspace.ts';
import { assertNotSpecial } from '../disk/regular-file.ts';

/**
 * The two ways: a key that the partner knows, or a code with which a gateway accepts a key that is
 * created here.
 */
interface Ways {
  connect(input: z.output<typeof connectionInputSchema>): Promise<unknown>;
  enrol(input: z.output<typeof enrolInputSchema>): Promise<unknown>;
}

/**
 * Connects with the file that IT provided for one use, and deletes the file once the key is in the
 * keychain. The file is renamed first. If the file cannot be deleted it is not used, because others
 * could read its key. A crash in between leaves the renamed file, which the next start uses.
 * @returns whether there was such a file
 * @throws {DeskError} policy_invalid if the file cannot be read, used or deleted (then it stays);
 *   the errors of the way
 */
export async function takeProvisioning(
  file: string,
  fromPolicy: Partial<ConnectionInput>,
  ways: Ways,
): Promise<boolean> {
  const taking = `${file}.taking`;
  if (!existsSync(taking)) {
    if (!existsSync(file)) return false;
    orSay(file, 'not_deletable', () => renameSync(file, taking));
  }
  try {
    const text = orSay(file, 'unreadable', () => {
      assertNotSpecial(taking);
      return readFileSync(taking, 'utf8');
    });
    const value = orSay(file, 'json', (): unknown => JSON.parse(text.replace(/^\uFEFF/, '')));
    if (typeof value === 'object' && value !== null && 'code' in value) {
      await ways.enrol(parsed(file, enrolInputSchema, value));
    } else {
      const entered = typeof value === 'object' ? { ...value, ...fromPolicy } : value;
      await ways.connect(parsed(file, connectionInputSchema, entered));
    }
  } catch (error) {
    renameSync(taking, file);
    throw error;
  }
  unlinkSync(taking);
  return true;
}

function parsed<Schema extends z.ZodType>(file: string, schema: Schema, value: unknown) {
  const input = schema.safeParse(value);
  if (input.success) return input.data;
  const { issues } = input.error;
  throw invalid(file, issues.map(({ code }) => code).join('; '), [
    ...new Set(issues.map(({ path }) => path.join('.'))),
  ]);
}

function invalid(fileName: string, detail: string, places: readonly string[] = []): DeskError {
  const place = ['provisioningFile', ...places].join(' · ');
  return new DeskError('policy_invalid', { fileName, place, detail });
}

function orSay<Result>(file: string, rule: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    // The cause is left out, because a parser quotes what it read, which is a key.
    throw invalid(file, rule);
  }
}
