import { sayBytes } from '#shared/desk/error-text.ts';
import { storageRuleInputSchema, type StorageRuleInput } from '#shared/desk/storage.ts';
import { checked } from '../checked.ts';
import type { Command } from '../command.ts';

export interface StorageArguments {
  readonly keep?: string;
  /** Days, or `always`. */
  readonly closedDays?: string;
  readonly free?: boolean;
}

/** Which documents are kept offline and what they take; changes the rule, frees what may go. */
export function storage({ keep, closedDays, free }: StorageArguments): Command {
  return async ({ engine, output, texts, language }) => {
    const days = closedDays === 'always' ? null : Number(closedDays);
    const rule = checked(storageRuleInputSchema, {
      ...(keep !== undefined && { keep }),
      ...(closedDays !== undefined && { closedDays: days }),
    } as StorageRuleInput);
    if (Object.keys(rule).length > 0) engine.setDocumentRule(rule);
    const held = free ? await engine.freeStorage() : engine.storage();
    const bytes = (held: { bytes: number }) => sayBytes(held.bytes, language);
    output.result(held, () =>
      texts.storage({
        documents: bytes(held.documents),
        freeable: bytes(held.freeable),
        attachments: bytes(held.attachments),
        keep: held.keep,
        closedDays: held.closedDays,
      }),
    );
  };
}
