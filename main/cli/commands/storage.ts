import { sayBytes } from '#shared/desk/error-text.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/storage.ts';
import type { Command } from '../command.ts';

export interface StorageArguments {
  readonly keep?: StorageRuleInput['keep'];
  /** Days, or `always`. */
  readonly closedDays?: string;
  readonly free?: boolean;
}

/** Which documents are kept offline and what they take; changes the rule, frees what may go. */
export function storage({ keep, closedDays, free }: StorageArguments): Command {
  return async ({ engine, output }) => {
    const rule = {
      ...(keep !== undefined && { keep }),
      ...(closedDays !== undefined && {
        closedDays: closedDays === 'always' ? null : Number(closedDays),
      }),
    };
    if (Object.keys(rule).length > 0) await engine.storage.setRule(rule);
    const held = await (free ? engine.storage.free() : engine.storage.get());
    output.result(held, () => summaryOf(held));
  };
}

const kept = { none: 'nothing by itself', due: 'cases that are due', all: 'everything' };

function summaryOf({ documents, freeable, attachments, keep, closedDays }: Storage): string {
  const size = (of: { bytes: number }) => sayBytes(of.bytes, 'en');
  const closed = closedDays === null ? 'stay' : `go after ${String(closedDays)} days`;
  return `Documents: ${size(documents)}, of which ${size(freeable)} can be freed. Attached files: ${size(attachments)}. Kept offline: ${kept[keep]}; documents of closed cases ${closed}.`;
}
