/**
 * Lets a thread live on if pdf.js leaves a rejection of a broken file that nobody waits for: it goes
 * on by repairing the table of objects, and in the viewer nothing comes of it. Any other rejection
 * ends the thread, as without this function.
 */
export function passBrokenEntries(): void {
  process.on('unhandledRejection', (error) => {
    if (!(error instanceof Error) || error.name !== 'XRefEntryException') throw error;
  });
}
