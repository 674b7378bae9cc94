import type { TextsLike } from '../texts.ts';
import type { deHelp } from '../de/help.ts';

export const enHelp: TextsLike<typeof deHelp> = {
  connections: {
    more: 'More about “{name}”',
    rename: 'Rename',
    access: 'Change address and access',
    key: 'Replace the key',
    remove: 'Remove',
    localName: 'Name on this laptop',
    save: 'Save',
    accessText: 'With the same client id, cases, documents and work stay as they are.',
    keyText:
      'The new key takes the place of the old one in the keychain. Cases, documents and work stay.',
    otherClient:
      'Another client id is another organization. It begins empty, and the data of “{name}” are removed from this laptop.',
    replace: 'Replace and remove',
    removeTitle: 'Remove “{name}”',
    removeAct: 'Remove with its data',
    removeText:
      'The key, the cases, the documents, the views and the notes of this connection are removed from this laptop. Nothing changes at the partner. This cannot be undone.',
    holds: 'This work is on this laptop only and is lost:',
    entries: '{n} entry of the queue, not delivered | {n} entries of the queue, not delivered',
    drafts: '{n} report, not submitted | {n} reports, not submitted',
    texts: '{n} input in a case, not sent | {n} inputs in cases, not sent',
    backups: '{n} backup of damaged work | {n} backups of damaged work',
    holdsNothing: 'No work waits here.',
    holdsUnknown:
      'Whether work waits here is not known: its key is missing, or the file is damaged.',
    backUp: 'Make a backup first',
    confirm: 'This work may be lost.',
  },
};
