import type { DispatchTexts, PolicyTexts, ShellTexts, StartTexts } from '../texts.ts';

export const shellTexts: ShellTexts = {
  engineRestarted: 'A part of the desk failed and was started again. Nothing was lost.',
  opening: 'The desk is still being opened.',
  openingDetail:
    'The keychain of this system may be asking for its password. The window comes as soon as it answers.',
  keepWaiting: 'Keep waiting',
  tryAgain: 'Try again',
  engineGone: 'The desk cannot be kept running. Start it again.',
  engineGoneDetail: (logFile: string, command: string) =>
    `What was saved is on this laptop. The log is in ${logFile}. This command makes a diagnostic bundle for your IT:\n${command}`,
  quitQuestion: 'Not everything is delivered yet. Quit all the same?',
  quitDetail: (waiting) =>
    `In the queue: ${String(waiting)}. All of it is kept on this laptop and leaves at the next start.`,
  leaveQuestion: 'Something is typed and not saved yet. Close all the same?',
  leaveDetail: 'Only what is not saved yet would be lost.',
  leave: 'Close',
  quit: 'Quit',
  stay: 'Keep working',
  show: 'Show the desk',
  nothingWaits: 'Everything is delivered',
  waiting: (count) => `Waits for delivery: ${String(count)}`,
  attention: (count) => `Needs you: ${String(count)}`,
  offline: 'Offline',
  file: 'File',
  edit: 'Edit',
  view: 'View',
  newWindow: 'New window',
  savePdf: 'Save view as PDF …',
  saveCopy: 'Save a copy',
  windowRestarted: 'The window failed and was loaded again. What was typed and not saved is gone.',
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
  noElectron: (why) => `Electron is not available (${why}); the desk comes in the browser.`,
  noKeychain:
    'This system has no keychain: the practice workspace is kept only while the desk runs. With --vault passphrase and DESK_VAULT_PASSPHRASE it stays.',
  runsAlready: 'The desk already runs; it is opened again.',
  openIt: (url) => `The browser could not be opened; open this yourself: ${url}`,
  portInUse: (port) => `Port ${String(port)} is in use; choose another with --port.`,
  notBuilt: 'The desk’s window could not be built; the messages are above.',
  wrongUsage: (argument: string) =>
    `The desk does not start like this: ${argument} is not a valid argument. Start it without; --help lists the valid ones.`,
  sandboxIsAllowed:
    'The desk does not start with --no-sandbox, because this system allows the sandbox. Start it without this argument.',
  noSandbox:
    '--no-sandbox: this system allows no sandbox; a hostile document has one barrier less.',
};

export const dispatchTexts: DispatchTexts = {
  title: 'Assign cases',
  signIn: 'Sign in',
  code: 'Code',
  codeHelp: 'IT gives out the code: gateway sign-in --client ID. It works once, for 15 minutes.',
  codeWrong: 'This code is not valid, or no longer.',
  signOut: 'Sign out',
  search: 'Search',
  status: 'Status',
  person: 'Person',
  anyStatus: 'all',
  anyone: 'all',
  nobody: 'nobody',
  show: 'Show',
  found: 'Cases',
  none: 'No case fits.',
  case: 'Case',
  category: 'Category',
  postalCode: 'Postal code',
  responsible: "At the insurer's",
  assigned: 'Assigned to',
  chosen: 'For the chosen cases:',
  assign: 'Assign',
  remove: 'Take away',
  previous: 'Previous',
  next: 'Next',
  choose: 'Choose the case',
};

export const policyHelp = 'These policies hold for everyone on this device.';

export const policyTexts: PolicyTexts = {
  'connection.gateway': {
    title: 'Address of the office gateway',
    text: 'Address of the gateway in your organization’s office. A person then enters only an enrolment code; address, audience and client ID come from the gateway.',
  },
  'connection.baseUrl': {
    title: 'Address of the partner service',
    text: 'Base address of the partner API, with https. Wins over what a person enters.',
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
  provisioningFile: {
    title: 'One-time connection file',
    text: 'A JSON file with clientId and privateKey, or with the code of a gateway, which the desk takes at its next start and then deletes. A relative path is within the person’s data folder.',
  },
  paths: {
    title: 'Paths of operations',
    text: 'Another path for single operations of the partner API, by operation id, for example X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Standard limit: burst',
    text: 'Requests in a row that the partner allows. To be set together with the refill.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Standard limit: requests a minute',
    text: 'Requests a minute that the partner allows in the long run.',
  },
  'limits.documents.capacity': {
    title: 'Documents limit: burst',
    text: 'Document requests in a row that the partner allows. To be set together with the refill.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Documents limit: requests a minute',
    text: 'Document requests a minute that the partner allows in the long run.',
  },
  'proxy.url': {
    title: 'Proxy',
    text: 'Address of the HTTP proxy for the partner service, for example http://proxy.example:8080. Without user name and password.',
  },
  'proxy.bypass': {
    title: 'Proxy: exceptions',
    text: 'Hosts that are reached without the proxy; a leading dot takes in all names below it.',
  },
  certificateFiles: {
    title: 'Additional certificate authorities',
    text: 'Paths of PEM files whose certificate authorities are trusted beside the usual ones.',
  },
  'updates.enabled': {
    title: 'Automatic updates',
    text: 'Off: the desk never looks for updates; your software distribution brings them.',
  },
  'updates.feed': {
    title: 'Address of the update feed',
    text: 'A folder on your own web server (https) from which the desk takes its updates.',
  },
  language: {
    title: 'Language',
    text: 'The language of the desk; a person cannot choose another then.',
  },
  practice: {
    title: 'Practice workspace',
    text: 'Off: there is no practice workspace with invented cases.',
  },
  'ownCases.postalCodes': {
    title: 'Own cases: postal codes',
    text: 'Which cases are a person’s own: postal codes or ranges like 8000-8499. Today, Ready to leave and the fetching of documents are then about these only.',
  },
  'ownCases.categories': {
    title: 'Own cases: categories',
    text: 'Categories of a person’s own cases: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Own cases: responsible persons',
    text: 'Names of the insurer’s responsible persons whose cases are a person’s own.',
  },
  documentRetentionDays: {
    title: 'Documents of closed cases, days',
    text: 'For so many days after its last change the documents of a closed case stay on the laptop. Undelivered work always stays.',
  },
  caseRetentionDays: {
    title: 'Cases that ended, days',
    text: 'For so many days after its last change an ended case stays on the laptop, with its documents, notes and files of sent reports. The proofs of delivery stay. Undelivered work always stays.',
  },
  textRecognition: {
    title: 'Recognize the text of scans',
    text: 'Whether the text of scanned pages and photos is recognized on the laptop, so that the search finds it. Nothing is sent. No forbids it, also if a person asks; with yes nobody can switch it off.',
  },
  watchedFolder: {
    title: 'Folder of the camera',
    text: 'A folder (full path), for instance a camera’s card or the folder into which a telephone synchronizes. New photos in it are offered in the open report. Nothing in the folder is changed or deleted.',
  },
  backupFolder: {
    title: 'Folder of automatic backups',
    text: 'A folder (full path) into which each desk writes its undelivered work once a day, encrypted under a passphrase that the person sets.',
  },
  logLevel: {
    title: 'Log level',
    text: 'How much is logged. The level info adds one line per request to the partner; no level logs contents or secrets.',
  },
};
