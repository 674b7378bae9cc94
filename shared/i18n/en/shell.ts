import type { ShellTexts, StartTexts } from '../texts.ts';

export const shellEn: ShellTexts = {
  engineRestarted: 'A part of the desk failed and was started again. Nothing was lost.',
  opening: 'The desk is still being opened.',
  openingDetail:
    'The keychain of this system may be asking for its password. The window comes as soon as it answers.',
  keepWaiting: 'Keep waiting',
  engineGone: 'The desk cannot be kept running. Start it again.',
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
};

export const startEn: StartTexts = {
  noElectron: (why) => `Electron is not available (${why}); the desk comes in the browser.`,
  noKeychain:
    'This system has no keychain: the practice workspace is kept only while the desk runs. With --vault passphrase and DESK_VAULT_PASSPHRASE it stays.',
  runsAlready: 'The desk already runs; it is opened again.',
  openIt: (url) => `The browser could not be opened; open this yourself: ${url}`,
  portInUse: (port) => `Port ${String(port)} is in use; choose another with --port.`,
  notBuilt: 'The desk’s window could not be built; the messages are above.',
  wrongUsage:
    'The desk does not start like this: it does not know something that the start was given.',
};
