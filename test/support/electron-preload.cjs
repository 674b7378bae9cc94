/* Electron's main process loads this file before the desk, with `-r`. */
// oxlint-disable-next-line typescript/no-require-imports -- `-r` loads CommonJS alone
const { app } = require('electron');

// Where there is no graphics card, Electron notices that only after the process that draws has
// failed two times. A page that is opened meanwhile may stay blank (electron#44318), and no test
// can click in it.
app.disableHardwareAcceleration();
// The desk reads its arguments by their places.
process.argv.splice(process.argv.indexOf('-r'), 2);

// A test may give the desk another clock. Playwright removes NODE_OPTIONS, so the engine's process
// gets them here.
const clock = process.env['CLOCK_MODULE'];
if (clock !== undefined) {
  process.env['NODE_OPTIONS'] = `--import=${clock}`;
  void import(clock);
}
