import { isOne } from '../plural.ts';
import type { StatementTexts } from '../texts.ts';

const one = (n: number) => isOne(n, 'en');

export const statementTexts: StatementTexts = {
  outbox: {
    attention: (n) =>
      one(n) ? `${String(n)} entry needs attention.` : `${String(n)} entries need attention.`,
    part: (done, total) => `${done} of ${total} delivered`,
    next: (time) => `next at ${time}`,
    done: (time) => `done at ${time}`,
    noTime: 'completion time not known while offline',
    notYet: 'completion time not known yet',
    soon: 'done soon',
    paused: 'delivery is paused',
    awaits: (n) =>
      one(n)
        ? `${String(n)} entry waits until the insurer has accepted the case.`
        : `${String(n)} entries wait until the insurer has accepted the case.`,
    nothing: 'Nothing to send.',
  },
  counts: {
    waiting: (n) => `${String(n)} to send`,
    attention: (n) => (one(n) ? `${String(n)} needs attention` : `${String(n)} need attention`),
    nothing: 'Nothing to send',
  },
  entry: {
    saved: 'Saved on this device',
    network: 'Waiting for a connection',
    acceptance: 'Waiting for the case to be accepted',
    turn: 'Waiting for an earlier item of this case',
    paused: 'Delivery is paused',
    waits: 'waiting',
    sending: 'Sending',
    unknown: 'Checking whether it arrived',
    attention: 'Needs attention',
    discarded: 'Discarded',
    uploading: (percent) => `Uploading ${percent}%`,
    delivered: (when) => `Delivered ${when}`,
    retry: (when) => `Next at ${when}`,
    pacing: (time) => `Next at ${time}`,
    part: (done, total) => `${done} of ${total}`,
  },
  report: {
    draft: 'The draft is saved automatically.',
    paused: 'The report is saved on this device. Delivery is paused.',
    awaits:
      'The report is saved on this device and sent as soon as the insurer has accepted the case.',
    goesOut: 'The report is saved on this device and sent as soon as you are online.',
  },
  fetch: {
    counting: 'Downloading documents',
    part: (done, total) => `Documents: case ${done} of ${total}`,
    paused: 'paused',
    lists: 'end not known, lists are being read',
  },
  forecast: {
    doneAt: (time) => `Expected to be delivered by ${time}`,
    notKnown: 'Delivery time not known yet.',
  },
  quit: {
    stored: 'What is waiting is saved on this device.',
    deleted:
      'No keychain can be reached on this device. The practice workspace is deleted when you quit.',
    goesOut: (n) => `Will be sent after the next start: ${n}.`,
    paused: (n) => `Paused: ${n}.`,
    awaits: (n) => `Waiting until the insurer has accepted the case: ${n}.`,
    attention: (n) => `Needs attention: ${n}.`,
  },
  closing: {
    unsaved: 'A case or report contains changes that are not saved yet.',
    adding: 'Files are being added or processed.',
    temporary: 'This practice workspace is deleted when you close.',
    stored: 'What is in the outbox is saved on this device.',
    nothing: 'There is nothing to send. Drafts are saved on this device.',
  },
  readiness: {
    notKnown: 'Not known: the insurer’s list of cases could not be read completely.',
    unchecked: 'These days have not been checked yet.',
    offline: (time) => `Not checked: offline since ${time}.`,
    none: (at) => `No inspection is due on these days, checked ${at}.`,
    missing: (n, count, total, at) =>
      `${count} of ${total} cases ${one(n) ? 'is' : 'are'} not complete, checked ${at}.`,
    complete: (n, count, documents, at) =>
      one(n)
        ? `The case and all its documents (${documents}) are on this device. Checked ${at}.`
        : `All ${count} cases and all their documents (${documents}) are on this device. Checked ${at}.`,
  },
};
