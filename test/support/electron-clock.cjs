/*
 * Electron's main process loads this file before the desk, with `-r`, if a test gives the desk
 * another clock. Playwright removes NODE_OPTIONS, so the engine's process gets them here.
 */
const clock = process.env['CLOCK_MODULE'] ?? '';
process.env['NODE_OPTIONS'] = `--import=${clock}`;
// The desk reads its arguments by their places.
process.argv.splice(process.argv.indexOf('-r'), 2);
void import(clock);
