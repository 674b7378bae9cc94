import type { WindowTexts } from '../texts.ts';

/** The telephone as camera: the dialog in the window, and the page on the telephone. */
export const telephoneTexts: Pick<WindowTexts, 'telephone'> = {
  telephone: {
    open: 'Take photos with the telephone',
    scan: 'Point the telephone’s camera at the code and open the link. The telephone must be on the same network as this device: the office network, or this device on the telephone’s hotspot. No internet is needed.',
    code: 'QR code for the telephone',
    network: 'Network',
    unconnected: 'No telephone connected yet.',
    connected: 'A telephone is connected.',
    stored: 'Arrived: {n}',
    waiting: 'Still on the telephone: {n}',
    done: 'Finished on the telephone; all photos have arrived.',
    refused:
      'Another device or a wrong code was refused ({n}). Nothing was taken and nothing was shown.',
    advice:
      'The code is for one telephone, and only until you end the connection. Somebody who can change traffic on the same network could show the telephone another page; on the telephone’s hotspot there is nobody else.',
    end: 'End',
    stay: 'Leave connected',
    live: 'Telephone as camera: {n} arrived',
    begin: 'Show a new code',
    ended:
      'The connection to the telephone has ended. Photos that are still on the telephone arrive with a new code.',
    addressGone:
      'This device no longer has the address {address}, and the telephone cannot reach it. Show a new code.',
    otherReport:
      'A telephone is photographing for another report. A new code here ends that connection; what has not arrived there stays on the telephone.',
    from: 'from the telephone',
    obstacles: {
      policy: 'Your organization does not allow the telephone as a camera.',
      network:
        'This device is on no private network that is allowed for this. Connect it to the office network or to the telephone’s hotspot.',
      program: 'This program was started without the page for the telephone.',
    },
    page: {
      connecting: 'Connecting…',
      ready: 'Case {claim}',
      shutter: 'Take a photo',
      pick: 'Choose existing photos',
      group: 'What does the next photo show?',
      groupOf: 'What does this photo show?',
      caption: 'Caption',
      waiting: 'Not arrived yet: {n}',
      stored: 'Arrived: {n}',
      refused: 'Not accepted: {n}',
      all: 'All photos have arrived.',
      before: 'Photos from before that wait on this telephone: {n}',
      addBefore: 'Add to this report',
      done: 'Done',
      isDone: 'Done. You can close this page.',
      isWaiting: 'waiting',
      isSending: 'sending, {percent}%',
      isStored: 'arrived',
      isRefused: 'Appraiser Desk cannot read this picture.',
      isUnreadable:
        'This telephone can no longer read this photo. Load the page again, or take it again.',
      save: 'Save on the telephone',
      remove: 'Remove',
      noCode: 'Scan the code that Appraiser Desk shows.',
      unreachable:
        'Appraiser Desk cannot be reached. Your photos stay on this telephone and are sent as soon as it can be reached again. Leave this page open. If the connection has ended there, scan a new code.',
      ended:
        'This connection has ended. What has not arrived yet stays on this telephone: show a new code in Appraiser Desk and scan it.',
      other:
        'Another telephone is already connected with this code. Show a new code in Appraiser Desk and scan it.',
      impostor:
        'This page does not reach your Appraiser Desk. Nothing was sent. Show a new code in Appraiser Desk, best on the hotspot of this telephone.',
      noStorage:
        'This browser keeps no photos. Open the link of the code in an ordinary window, not in a private one.',
      elsewhere: 'This page is open in another tab. It continues there.',
      disk_full:
        'The device with Appraiser Desk has no space left. Your photos stay on this telephone and are sent as soon as there is space.',
      report_closed:
        'This report is already submitted or deleted. Your photos stay on this telephone: show the code in another report and scan it.',
      too_many:
        'This code takes no more photos. The others stay on this telephone: show a new code in Appraiser Desk and scan it.',
      failed:
        'Appraiser Desk cannot store anything at the moment. Your photos stay on this telephone and are sent again.',
      notKept:
        'This telephone could not keep a photo: {name}. Is the storage full, or is this a private window? Take it again afterwards.',
    },
  },
};
