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
    accessText: 'With the same client id, cases, documents and work stay as they are.',
    keyText:
      'The new key takes the place of the old one in the keychain. Cases, documents and work stay.',
    otherClient:
      'Another client id is another organization. It begins empty, and the data of “{name}” are removed from this laptop.',
    replace: 'Replace and remove',
    removeTitle: 'Remove “{name}”',
    removeAct: 'Remove with its data',
    removeText:
      'The key, the cases, the documents, the views, the text blocks and the notes of this connection are removed from this laptop. Nothing changes at the partner. This cannot be undone.',
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
  start: {
    madeUp: 'These cases are made up; nothing goes to an insurer.',
    connect: 'Connect to the partner',
    search: 'Search or command',
    help: 'Help',
  },
  guide: {
    title: 'Guide',
    sections: {
      start: {
        title: 'Getting started',
        text: 'The practice workspace has made-up cases: look around, put reports together, submit them. On the page “Practice” you play the insurer too. To work for real you need the address, a client id and a key file from the partner, or an enrolment code from your IT; “Connect to the partner” asks for them.',
      },
      safe: {
        title: 'What is safe',
        text: 'What you type or attach is on this laptop within a second, encrypted. The status bar at the bottom says whether there is a network, when the last sync was, what waits, and whether you can close. What waits leaves at the next start, each thing exactly once.',
      },
      today: {
        title: 'Today',
        text: 'What needs your attention comes first, then returned reports, what is not sent, new assignments and the inspections. The clock beside an inspection keeps a time and a note. “Ready to leave” syncs, fetches every document of the chosen days, and is green only for what it has checked.',
      },
      cases: {
        title: 'Finding cases',
        text: 'Type a name, a plate, a policy, a place or a word of a document. Filters stand beside it; a search can be saved as a view. The space bar chooses cases, to fetch their documents or to export them. Which cases are your own is said in the settings.',
      },
      case: {
        title: 'In a case',
        text: 'A document opens beside the amounts and the comment; F6 goes between them, Esc closes it. Amounts and comment are sent as soon as there is a network. If somebody else changed the same meanwhile, the desk sends nothing and shows both. A case that is only assigned takes everything already; it goes out once the case is accepted. Ctrl+B in a comment inserts a text block; the checklist is ticked on site. Notes, blocks and ticks are never sent.',
      },
      report: {
        title: 'A report',
        text: '“New report” in the case: drop files or a folder, put them in order, name them by a template, mark salvage sales. Beside the files stands what is still missing. Ctrl+Enter submits the report, as the button does. Until then it is a draft that saves itself.',
      },
      photos: {
        title: 'Photos',
        text: 'Photos come in upright and in the order in which they were taken. “Work on photos” turns, orders and describes them, throws blurred ones out, draws arrows, and makes faces and plates unreadable. The original stays encrypted on this laptop.',
      },
      returned: {
        title: 'A returned report',
        text: 'The case lists every report that was sent. “What was sent” opens its files; “Start a revision from this report” takes them into a new draft, in which you replace single ones. The interface does not always tell the reason; then the desk says whom to ask.',
      },
      queue: {
        title: 'Queue',
        text: 'This is what is on its way, what it waits for, and when all is delivered. What has not left can be changed or taken back. What was delivered has a proof with time, identifiers and checksums, as a PDF or a sheet.',
      },
      batch: {
        title: 'Batch',
        text: 'Drop a folder full of reports. The desk matches them by claim number, policy or plate; problems stand at the top. Amounts and comments are added from a sheet (CSV or XLSX).',
      },
      backup: {
        title: 'Backup and another laptop',
        text: 'Settings, Backup: what is not sent goes into one encrypted file and can be read in on another laptop. A report that two laptops hold is submitted only once.',
      },
      wrong: {
        title: 'When something is wrong',
        text: 'Without a network there is nothing to do: the desk delivers by itself when it is back. If the connection does not work, Settings, Connection, “Check now” names the first step that fails. For support, Settings, Backup writes a bundle without personal data.',
      },
    },
  },
};
