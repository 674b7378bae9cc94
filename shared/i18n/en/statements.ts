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
        ? `${String(n)} entry waits until the case is accepted.`
        : `${String(n)} entries wait until the case is accepted.`,
    nothing: 'Nothing to send.',
  },
  counts: {
    waiting: (n) => `${String(n)} to send`,
    attention: (n) => (one(n) ? `${String(n)} needs attention` : `${String(n)} need attention`),
    begun: (n: number) => `${String(n)} started`,
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
    awaits: 'The report is saved on this device and sent as soon as the case is accepted.',
    goesOut: 'The report is saved on this device and sent as soon as you are online.',
  },
  day: {
    open: (n: number) =>
      one(n) ? `${String(n)} thing is still open.` : `${String(n)} things are still open.`,
    postponed: (n: number) => `Postponed until tomorrow: ${String(n)}.`,
    earlier: (n: number) => `Earlier inspections without amounts or a report: ${String(n)}.`,
    unseen: (n: number) =>
      one(n)
        ? `${String(n)} entry is delivered, but not checked at the insurer yet.`
        : `${String(n)} entries are delivered, but not checked at the insurer yet.`,
    all: 'Everything is delivered and was seen at the insurer.',
    others: 'Everything else is delivered and was seen at the insurer.',
  },
  turn: {
    values: 'Changed in the meantime, probably by a colleague. Which value counts?',
    returned: (n: string) => `Report ${n}returned`,
    reasonUnknown: 'reason not known',
    typed: 'Entered, not saved',
    draft: 'Report begun, not submitted',
    visit: (when: string) => `Inspection ${when}`,
    missing: { amounts: 'no amounts', report: 'no report', both: 'no amounts and no report' },
  },
  clock: {
    behind: (by: string) =>
      `This device’s clock is ${by} behind; the insurer’s time counts until you set the clock to automatic.`,
    ahead: (by: string) =>
      `This device’s clock is ${by} ahead; the insurer’s time counts until you set the clock to automatic.`,
    wasBehind: (by: string) =>
      `This device’s clock was ${by} behind when the insurer last answered; that difference counts until the next sync: check the clock.`,
    wasAhead: (by: string) =>
      `This device’s clock was ${by} ahead when the insurer last answered; that difference counts until the next sync: check the clock.`,
    leastBehind: (by: string) =>
      `This device’s clock is at least ${by} behind; the time of the insurer’s last answer counts until the next sync: set the clock to automatic.`,
    minutes: (n: number) => (one(n) ? `${String(n)} minute` : `${String(n)} minutes`),
    hours: (n: number) => (one(n) ? `${String(n)} hour` : `${String(n)} hours`),
    days: (n: number) => (one(n) ? `${String(n)} day` : `${String(n)} days`),
  },
  fetch: {
    counting: 'Downloading documents',
    cases: (done, total) => `Documents: case ${done} of ${total}`,
    paused: 'paused',
    noEnd: 'end not known yet',
    lists: (done, total) => `Document lists: ${done} of ${total}`,
    about: (time) => `done at about ${time}`,
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
    awaits: (n) => `Waiting until the case is accepted: ${n}.`,
    attention: (n) => `Needs attention: ${n}.`,
    begun: (n: string) => `Started, not submitted or saved yet: ${n}.`,
  },
  closing: {
    unsaved: 'A case or report contains changes that are not saved yet.',
    adding: 'Files are being added or processed.',
    temporary: 'This practice workspace is deleted when you close.',
    stored: 'What is in the outbox is saved on this device.',
    begun: 'What you started stays on this device. Only you can submit or save it.',
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
  visit: {
    subject: (key: string) => `Inspection for claim ${key}`,
    greeting: 'Good day',
    text: (day: string, time: string, place: string) =>
      `I will be there${day === '' ? '' : ` on ${day}`} at ${time} for the inspection${place === '' ? '' : ` (${place})`}.`,
    closing: 'Kind regards',
  },
};
