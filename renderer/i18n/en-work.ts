import type { TextsLike } from './messages.ts';
import type { deWork } from './de-work.ts';

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
};
