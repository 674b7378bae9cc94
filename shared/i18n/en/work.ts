import type { TextsLike } from '../texts.ts';
import type { deWork, deSafety } from '../de/work.ts';

export const enWork: TextsLike<typeof deWork> = {
  hints: {
    title: 'Worth a look',
    codes: {
      approvedAboveEstimate: 'More is approved than the workshop estimated.',
      estimateFarAboveClaim:
        'The workshop’s estimate ({estimate}) is far above the insurer’s own ({claim}).',
      deductibleCoversClaim:
        'The deductible ({deductible}) covers the insurer’s estimate ({claim}).',
      currencyForeign:
        'The insurer’s estimate is in {currency}; the amounts of the case are in CHF.',
      inspectionPast: 'The inspection was on {date}; the report is still to come.',
      inspectionBeforeIncident:
        'The inspection ({inspection}) is before the date of the incident ({incident}).',
      registrationAfterIncident:
        'The first registration ({date}) is after the date of the incident ({incident}).',
      dateImpossible: 'A date cannot be right: {value}.',
      plateMissing: 'No licence plate is given.',
      phoneMissing: 'No phone number is given.',
      driversSeveral: 'Several persons of the same side are said to have been driving.',
    },
  },
  print: {
    case: 'Print the case or save it as a PDF',
    printed: 'Printed {when}',
  },
  viewing: {
    search: 'Search this document',
    hits: '{at} of {total}',
    noHits: 'No match',
    searching: 'Searching …',
    previousHit: 'Previous match',
    nextHit: 'Next match',
    fitWindow: 'Whole picture',
    lies: 'Called {named}, but its content is {found}. The content is shown.',
    notHere: 'This document is not on this laptop yet',
    empty: 'This file is empty.',
    tooLarge: 'This picture is too large to be shown here',
    tooLargeText: 'It has {width} × {height} pixels. Save a copy and open it in another program.',
    pageBroken: 'This page cannot be drawn.',
    morePages: 'The first {shown} of {total} pages are shown.',
  },
  reportTools: {
    duplicateOf: 'Same content as file {position}',
    duplicates:
      '{n} file has the same content as an earlier one. | {n} files have the same content as earlier ones.',
    up: 'Move up',
    down: 'Move down',
    look: 'View',
    remove: 'Remove',
    pending: '{n} file to go | {n} files to go',
    refused: '{n} file was not taken. | {n} files were not taken.',
    dismissAll: 'Hide all',
    rename: 'Rename by template',
    renameDo: 'Rename',
    template: 'Template',
    preview: 'Preview of the names',
    before: 'Now',
    after: 'New',
    longEdge: 'Longer side',
    edge: 'at most {pixels} pixels',
    edgeKept: 'as taken, only turned upright',
    working: '{done} of {total} photos done',
    failed:
      '{n} photo could not be read and stays as it is: | {n} photos could not be read and stay as they are:',
    sheet: 'Photo sheet',
    sheetTitle: 'Photo sheet as a PDF',
    sheetHeading: 'Heading',
    sheetDefault: 'Photos of {key}',
    sheetFile: 'Photo sheet {key}.pdf',
    sheetPhotos: 'Photos on the sheet',
    sheetTake: 'On the sheet: {name}',
    sheetChosen: '{n} photo | {n} photos',
    sheetDo: 'Make the photo sheet',
    perPage: 'Photos per page',
    caption: 'Caption {position}',
  },
  queueWork: {
    pause: 'Pause delivery',
    resume: 'Resume delivery',
    paused: 'Delivery is paused. Everything stays saved on this laptop until you resume it.',
    edit: 'Edit',
    takeBack: 'Take back',
    takeBackHint: 'The report becomes a draft again and can be changed.',
    save: 'Save',
    proofs: 'Proofs of delivery',
    proofLocal: 'Time (Zurich)',
    proofUtc: 'Time (UTC)',
    proofValue: 'Set',
    proofPdf: 'Proof as PDF',
    proofNote:
      "Made {time}. Times in Europe/Zurich, with UTC beside them, as the partner's answers have them.",
    saveProofs: 'Save proofs',
    case: 'Case',
    what: 'Act',
    bytes: 'Size in bytes',
    tooLate: {
      sending:
        'Too late: this is being sent. Nothing was changed. Wait until it says here whether it arrived.',
      delivered:
        'Too late: this has already arrived at the insurer. Nothing was changed. If it is wrong, enter it in the case again.',
      discarded: 'This has already been taken out of the queue. Nothing was changed.',
    },
  },
  sentReports: {
    open: 'What was sent',
    close: 'Hide',
    fetch: 'Fetch from the insurer',
    fetching: '{done} of {total} files fetched',
    revise: 'Start a revision from this report',
    approved: 'approved {when}',
    returned: 'returned {when}',
    cancelled: 'cancelled {when}',
    replaced: 'replaced by report {n}, {when}',
    reason: 'The insurer’s reason: {reason}',
    reasonUnknown: 'The insurer does not give the reason over this connection.',
    askAt: 'Ask {name}.',
    missing:
      'Not included, because the insurer does not give out its content. Add the file yourself: {names} | Not included, because the insurer does not give out their contents. Add these files yourself: {names}',
    replace: 'Replace with another file: {name}',
    replaceShort: 'Replace',
    replacedFile: '{name} is replaced.',
  },
  queueProgress: {
    nextAt: 'Next at {time}',
    partNextAt: '{done} of {total}, next at {time}',
    partDoneAt: '{done} of {total}, next at {time}, done at {doneAt}',
    part: '{done} of {total} delivered',
    next: 'next at {time}',
    done: 'done at {time}',
    noTime: 'without a network it is not known when all is done',
    repeated: '{n} repeat | {n} repeats',
  },
};

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
