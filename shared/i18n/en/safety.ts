import type { TextsLike } from '../texts.ts';
import type { deSafety } from '../de/safety.ts';

export const enSafety: TextsLike<typeof deSafety> = {
  undo: {
    draft: 'Draft discarded.',
    act: 'Taken out of the queue.',
    text: 'Typed text discarded.',
    batch: '{n} file taken out of the table. | {n} files taken out of the table.',
    view: 'View “{name}” deleted.',
    file: 'Removed: {name}',
    rename: 'Renamed: {name}',
  },
  foreign: {
    title: 'In the draft at the partner, not from this laptop:',
    salvage: 'salvage',
    submit: 'Submit all the same',
    submitWith: 'Submit with these documents',
    remove: 'Remove them first, then submit',
    removeTitle: 'Delete these documents at the partner?',
    removeText:
      'They are deleted from the draft at the partner and cannot be brought back there. Then your report is submitted.',
  },
  lostKey: {
    title: 'The key of this connection is missing',
    practiceTitle: 'The key of the practice workspace is missing',
    text: 'The keychain of this computer lacks the private key of “{name}” ({host}). Your data lie unchanged on this laptop and are still encrypted. Choose your organization’s key file, and you go on where you stopped.',
    dataText:
      'The keychain of this computer lacks the key to the data of “{name}”. Without it nobody can read them, not even this program. If you can restore the keychain, close the program, do that first, and start again.',
    asideText:
      'Otherwise begin anew: the old data are put aside, not deleted. The cases come back with the next synchronization, undelivered work from a backup package if you have one; you are asked for it afterwards.',
    recover: 'Put the key back',
    setAside: 'Put the old data aside and begin anew',
    confirm: 'I know that the old data cannot be read without their key.',
  },
};
