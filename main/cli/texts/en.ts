import { errorWordsEn } from '#shared/desk/error-texts/en.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsEn: CliTexts = {
  description: 'An expert’s cases on this laptop, with or without a network',
  commands: {
    connect: 'stores a connection with its key, and tests it',
    doctor: 'tests the connection step by step',
    sync: 'pulls changes, delivers the queue, fetches documents',
    cases: 'the list of cases on this laptop',
    case: 'one case',
    documents: 'the documents of a case',
    reports: 'the reports of a case',
    download: 'writes documents, decrypted, to files',
    comment: 'sets the comment; works offline',
    amounts: 'sets the amounts; works offline',
    reopen: 'reopens a closed case; works offline',
    report: 'puts a report together; works offline',
    queue: 'what waits, why, and proof of what was delivered',
    queueShow: 'one entry of the queue',
    queueRetry:
      'tries an entry again; --decision says what is to become of what the partner holds beside a report',
    queueDiscard: 'discards an entry',
    queueEdit: 'changes an entry that is not on its way; a report becomes a draft again',
    batch: 'many reports by the names of files and folders',
    export: 'writes the case list to a file',
    storage: 'which documents are kept offline, and what they take; --free removes what may go',
    diagnostics: 'writes a bundle for support, without personal data',
    backup: 'writes the undelivered work to an encrypted file, for another laptop',
    restore: 'takes over the undelivered work of another laptop',
  },
  casesAtLeast: (total) =>
    `At least ${total} cases: more documents have these words than a search looks at.`,
  columns: {
    key: 'Case',
    status: 'Status',
    category: 'Category',
    party: 'Party',
    subject: 'Subject',
    place: 'Place',
    file: 'File',
    size: 'Size',
    onLaptop: 'On the laptop',
    sequence: 'No.',
    submitted: 'Submitted',
    comment: 'Comment',
    id: 'Entry',
    act: 'What',
    state: 'State',
    attempts: 'Attempts',
    problem: 'Why',
    path: 'Saved as',
    matchedBy: 'Recognized by',
    salvage: 'Salvage',
    step: 'Step',
    result: 'Result',
  },
  kinds: { amounts: 'Amounts', comment: 'Comment', reopen: 'Reopening', report: 'Report' },
  states: errorWordsEn.queueStates,
  yes: 'yes',
  no: 'no',
  connected: (name, cases) => `Connected to ${name}; ${String(cases)} cases.`,
  connectedUntested: (name) => `The connection ${name} is stored but could not be tested yet.`,
  synced: (r) =>
    `${String(r.pulled)} cases read, ${String(r.delivered)} entries delivered, ${String(r.documents)} documents fetched; ${String(r.waiting)} waiting, ${String(r.attention)} need attention.`,
  queued: (id) => `Saved on this laptop as entry ${String(id)} of the queue.`,
  draftKept: (id) => `Draft ${id} is saved; with --submit it goes into the queue.`,
  storage: (s) =>
    `Documents: ${s.documents}, of which ${s.freeable} can be freed. Attached files: ${s.attachments}. Kept offline: ${{ none: 'nothing by itself', due: 'cases that are due', all: 'everything' }[s.keep]}; documents of closed cases ${s.closedDays === null ? 'stay' : `go after ${String(s.closedDays)} days`}.`,
  exported: (x) => `${String(x.cases)} cases are in ${x.file}.`,
  diagnosed: (x) =>
    `The bundle is in ${x.file}. It holds no personal data; look at it before you send it.`,
  backedUp: (w) =>
    `${String(w.entries)} entries, ${String(w.drafts)} drafts and ${String(w.files)} files are in ${w.file}. Keep the passphrase: without it nobody can read them. Do not deliver the same work from both laptops.`,
  restored: (w) =>
    `${String(w.entries)} entries, ${String(w.drafts)} drafts and ${String(w.files)} files taken over; ${String(w.known)} were here already, ${String(w.superseded)} are overtaken by newer ones.`,
  workLost:
    'The file with your undelivered work is damaged, and none of its backups is sound. It was put aside and not overwritten; check at the insurer what has arrived.',
  workBackup: (w) =>
    `${String(w.entries)} entries, ${String(w.drafts)} drafts and ${String(w.views)} saved views, backed up at ${w.backedUpAt}`,
  workBackupLeft: (w) =>
    `The backup made at ${w.backedUpAt} is offered no more. Its files stay where they are.`,
  usageTakeOrLeave:
    'A backup is taken back (--backup) or left (--leave), or a file is named: only one of these.',
  usageNoBackup: 'No backup of damaged work waits. Name the file of a backup.',
  askPassphrase: 'Passphrase: ',
  askPassphraseAgain: 'Passphrase again: ',
  passphrasesDiffer: 'The two passphrases are not the same.',
  usagePassphrase:
    'A passphrase of at least 8 characters is needed: type it in a terminal or set DESK_BACKUP_PASSPHRASE.',
  batch: {
    identifiers: { externalKey: 'case', policyNumber: 'policy', licensePlate: 'plate' },
    likely: 'likely',
    refusals: {
      nothing_recognized: 'nothing in the name or its folders belongs to a case',
      several_cases: 'it could be several cases',
      names_disagree: 'the names belong to different cases',
    },
    outcomes: {
      ready: 'would be taken',
      added: 'in the report',
      known: 'has been taken already',
      duplicate: 'the same content is in the batch twice',
    },
    inDraft: 'in a draft',
    made: (q, d) => `${String(q)} reports queued, ${String(d)} kept as drafts.`,
  },
  doctor: {
    steps: {
      address: 'Address',
      connection: 'Connection',
      encryption: 'Encryption',
      partner: 'Partner’s answers',
      clock: 'Clock',
      token: 'Sign-in (client id, key, audience)',
      proof: 'Signed requests',
      list: 'List of cases',
      limits: 'Limits',
    },
    ok: 'ok',
    failed: 'failed',
    skipped: 'not tested',
    clockOff: (s) => `ok; this laptop’s clock is ${String(s)} seconds off, which does no harm`,
    caseCount: (n) => `ok; ${String(n)} cases`,
    limits: (a, b) => `ok; ${String(a)} requests a minute, of documents ${String(b)}`,
  },
  usageConnect:
    'Needed are --base-url, --audience, --client-id and --key, or --credentials with the file.',
  usageAmounts: 'Needed is --estimate or --approved, with an amount or none.',
  usageEdit:
    'Needed is what is to change: --estimate or --approved for amounts, --text for a comment, --reason for a reopening; a report takes --comment or nothing.',
  edited: (id) => `Entry ${String(id)} is changed.`,
  progress: {
    pulling: (read, total) =>
      `Reading cases: ${String(read)}${total === null ? '' : ` of ${String(total)}`}`,
    delivering: (waiting) => `Delivering: ${String(waiting)} waiting`,
    fetching: 'Fetching documents',
    uploading: (id) => `Uploading entry ${String(id)}`,
    seconds: (n) => `at least ${String(n)} s more`,
    minutes: (n) => `at least ${String(n)} min more`,
    tasks: {
      backup: 'Packing',
      restore: 'Taking over',
      batch: 'Reading files',
      export: 'Writing cases',
    },
  },
};
