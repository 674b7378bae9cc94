import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted:
    'Part of Appraiser Desk failed and has been restarted. Saved work is not affected.',
  opening: 'Appraiser Desk is still opening.',
  openingDetail:
    'This is taking longer than usual. The window appears automatically. If your system is asking for a password, enter it.',
  keepWaiting: 'Keep waiting',
  tryAgain: 'Try again',
  engineGone: 'Appraiser Desk stopped unexpectedly. Please start it again.',
  engineGoneDetail: (logFile: string, command: string) =>
    `What was saved is on this device.\n\nThe log is in ${logFile}.\n\nThis command creates a diagnostics file for your IT:\n${command}`,
  quitQuestion: 'Not everything has been sent yet. Quit anyway?',
  leaveQuestion: 'Not all changes and files are saved yet. Close anyway?',
  leaveDetail: 'What is not saved yet will be lost; everything else stays.',
  leave: 'Close',
  quit: 'Quit',
  closeOfDay: 'Close of the day',
  stay: 'Keep working',
  show: 'Show Appraiser Desk',
  offline: 'Offline',
  file: 'File',
  edit: 'Edit',
  view: 'View',
  newWindow: 'New window',
  savePdf: 'Save view as PDF…',
  saveCopy: 'Save a copy',
  windowRestarted: 'The window failed and was reloaded. Anything typed but not saved is lost.',
  windowDied: 'The window failed twice in a row.',
  windowDiedDetail:
    'What was saved is on this device; typed text is there as it was last saved. Reload the window. If it fails again, give your IT the technical details.',
  reload: 'Reload',
  copyReport: 'Copy technical details',
  updateReady: (version: string) =>
    `Version ${version} of Appraiser Desk is ready. The window asks when to install it.`,
  installUpdate: (version: string) => `Install version ${version} and restart`,
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  resetZoom: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fullscreen: 'Full screen',
  window: 'Window',
  about: 'About Appraiser Desk',
  services: 'Services',
  hide: 'Hide Appraiser Desk',
  hideOthers: 'Hide others',
  showAll: 'Show all',
  minimize: 'Minimize',
  zoom: 'Zoom',
  front: 'Bring all to front',
};

export const startTexts: StartTexts = {
  noElectron: (why) => `Electron is not available (${why}); Appraiser Desk opens in the browser.`,
  noKeychain:
    'This system has no keychain: the practice workspace is kept only while Appraiser Desk is running. Use --vault passphrase and DESK_VAULT_PASSPHRASE to keep it.',
  runsAlready: 'Appraiser Desk is already running; opening it again.',
  openIt: (url) => `The browser could not be opened. Open this address yourself: ${url}`,
  portInUse: (port) => `Port ${String(port)} is in use; choose another with --port.`,
  notBuilt: 'The Appraiser Desk window could not be built; the messages are above.',
  wrongUsage: (argument: string) =>
    `Appraiser Desk cannot start: ${argument} is not a valid option. Start without it; --help lists the valid ones.`,
  sandboxIsAllowed:
    'Appraiser Desk does not start with --no-sandbox, because this system allows the sandbox. Start it without this option.',
  noSandbox:
    '--no-sandbox: this system allows no sandbox; a hostile document has one barrier fewer.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Assign cases',
  signIn: 'Sign in',
  code: 'Code',
  codeHelp: 'Your IT issues the code. It works once, within 15 minutes.',
  codeWrong: 'This code is invalid or has expired.',
  signOut: 'Sign out',
  search: 'Search',
  status: 'Status',
  person: 'Person',
  anyStatus: 'all',
  anyone: 'all',
  nobody: 'nobody',
  show: 'Show',
  found: 'Cases',
  none: 'No matching cases.',
  case: 'Case',
  category: 'Category',
  postalCode: 'Postal code',
  responsible: 'Claims handler',
  assigned: 'Assigned to',
  chosen: 'For the selected cases:',
  assign: 'Assign',
  remove: 'Unassign',
  previous: 'Previous',
  next: 'Next',
  choose: 'Select case',
};

export const policyHelp = 'These policies apply to everyone on this device.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Address of the office gateway',
    text: 'Address of your organization’s gateway. Users then enter only an enrolment code; address, audience and client ID come from the gateway.',
  },
  'connection.baseUrl': {
    title: 'Address of the partner service',
    text: 'Base address of the partner API, with https. Overrides what a user enters.',
  },
  'connection.audience': {
    title: 'Token address (audience)',
    text: 'The token address as the partner wants it named in the sign-in.',
  },
  'connection.clientId': {
    title: 'Client ID',
    text: 'The client ID that the partner gave to your organization. Used when a connection is set up.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'The scope to ask for with the token, if the partner wants one.',
  },
  'connection.htuWithoutQuery': {
    title: 'Sign addresses without the query',
    text: 'Only for a partner that follows RFC 9449 to the letter and refuses addresses signed with their query.',
  },
  'connection.changedSinceParameter': {
    title: 'Parameter for changes',
    text: 'What the partner calls the parameter “lastChangedSince” of the list of cases, for example updatedSince. If not set: lastChangedSince.',
  },
  provisioningFile: {
    title: 'One-time connection file',
    text: 'A JSON file with clientId and privateKey, or with a gateway code, which Appraiser Desk imports at its next start and then deletes. A relative path is relative to the user’s data folder.',
  },
  paths: {
    title: 'Paths of operations',
    text: 'Another path for single operations of the partner API, by operation id, for example X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Standard limit: burst',
    text: 'Number of requests in a row that the partner allows. Only takes effect together with “requests per minute”.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Standard limit: requests per minute',
    text: 'Requests a minute that the partner allows in the long run.',
  },
  'limits.documents.capacity': {
    title: 'Documents limit: burst',
    text: 'Number of document requests in a row that the partner allows. Only takes effect together with “requests per minute”.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Documents limit: requests per minute',
    text: 'Document requests a minute that the partner allows in the long run.',
  },
  'proxy.url': {
    title: 'Proxy',
    text: 'Address of the HTTP proxy for the partner service, for example http://proxy.example:8080. Without user name and password.',
  },
  'proxy.bypass': {
    title: 'Proxy: exceptions',
    text: 'Hosts reached without the proxy; a leading dot includes all subdomains.',
  },
  certificateFiles: {
    title: 'Additional certificate authorities',
    text: 'Paths of PEM files whose certificate authorities are trusted in addition to the usual ones.',
  },
  'updates.enabled': {
    title: 'Automatic updates',
    text: 'Off: Appraiser Desk never looks for updates; your software distribution brings them.',
  },
  'updates.feed': {
    title: 'Address of the update feed',
    text: 'A folder on your own web server (https) from which Appraiser Desk takes its updates.',
  },
  'updates.install': {
    title: 'Who installs updates',
    text: '“user”: the person chooses in the window, now or at the next start. “start”: the next start. “it”: Appraiser Desk only names the new version; your software distribution installs it. If not set: “user”. A deb or rpm is always installed by the package management.',
  },
  language: {
    title: 'Language',
    text: 'The language of Appraiser Desk; users cannot choose another.',
  },
  practice: {
    title: 'Practice workspace',
    text: 'Off: there is no practice workspace with sample cases.',
  },
  'ownCases.postalCodes': {
    title: 'Own cases: postal codes',
    text: 'Which cases are the user’s own: postal codes or ranges such as 8000–8499. “Today”, “Ready to leave” and document downloads are then limited to these.',
  },
  'ownCases.categories': {
    title: 'Own cases: categories',
    text: 'Categories of a person’s own cases: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Own cases: claims handlers',
    text: 'Names of the insurer’s claims handlers whose cases count as the user’s own.',
  },
  documentRetentionDays: {
    title: 'Documents of closed cases, days',
    text: 'Documents of a closed case stay on the device for this many days after its last change. Undelivered work is never removed.',
  },
  caseRetentionDays: {
    title: 'Closed cases, days',
    text: 'A closed case stays on the device for this many days after its last change, with its documents, notes and files of sent reports. Proofs of delivery are kept. Unsent work is never removed.',
  },
  textRecognition: {
    title: 'Recognize the text of scans',
    text: 'Whether text in scanned pages and photos is recognized on the device so that it can be searched. Nothing is sent. “No” disables it for everyone; with “Yes”, users cannot turn it off.',
  },
  watchedFolder: {
    title: 'Camera folder',
    text: 'A folder (full path), for example a camera’s memory card or the folder a phone syncs to. New photos in it are offered in the open report. Nothing in the folder is changed or deleted.',
  },
  'visitMessage.de': {
    title: 'Announcement of a visit, German',
    text: 'The text with which a visit is announced, for each language of the message (de, fr, it, en). Fields: {day}, {time}, {place}, {key}, {party}, {sender}. A language without a text has that of Appraiser Desk.',
  },
  'visitMessage.fr': {
    title: 'Announcement of a visit, French',
    text: 'The text with which a visit is announced, for each language of the message (de, fr, it, en). Fields: {day}, {time}, {place}, {key}, {party}, {sender}. A language without a text has that of Appraiser Desk.',
  },
  'visitMessage.it': {
    title: 'Announcement of a visit, Italian',
    text: 'The text with which a visit is announced, for each language of the message (de, fr, it, en). Fields: {day}, {time}, {place}, {key}, {party}, {sender}. A language without a text has that of Appraiser Desk.',
  },
  'visitMessage.en': {
    title: 'Announcement of a visit, English',
    text: 'The text with which a visit is announced, for each language of the message (de, fr, it, en). Fields: {day}, {time}, {place}, {key}, {party}, {sender}. A language without a text has that of Appraiser Desk.',
  },
  'telephone.enabled': {
    title: 'Telephone as camera',
    text: 'Whether a telephone on the same private network may photograph for a report. The device then listens on one address of this network, and only while the code is shown. Off: it never listens.',
  },
  'telephone.networks': {
    title: 'Networks for the telephone',
    text: 'On these private networks only, for example 192.168.10.0/24; if absent, on every private network. The hotspot of an iPhone is 172.20.10.0/28.',
  },
  templateFolder: {
    title: 'Folder of report templates',
    text: 'A folder (full path) with the office’s Word templates (.docx), which are offered when a report is written. Language and category are at the end of the file name, for example Appraisal.vehicle.en.docx. Nothing in the folder is changed or deleted.',
  },
  backupFolder: {
    title: 'Folder of automatic backups',
    text: 'A folder (full path) to which each device saves its undelivered work once a day, encrypted with a passphrase set by the user.',
  },
  logLevel: {
    title: 'Log level',
    text: 'How much is logged. The level info adds one line per request to the partner; no level logs contents or secrets.',
  },
};
