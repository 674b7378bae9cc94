import type { TextsLike } from './messages.ts';
import type { deSafety } from './de-safety.ts';

export const enSafety: TextsLike<typeof deSafety> = {
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
};
