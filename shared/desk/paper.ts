/** Events of the page's window: the desktop shell asks for all that belongs on paper, and has it. */
export const paperEvents = { ask: 'desk-paper-ask', ready: 'desk-paper-ready' } as const;

/** A script for the page; resolves once the page shows all that its view is about. */
export const completeForPaper = `new Promise((done) => {
  window.addEventListener('${paperEvents.ready}', () => done(), { once: true });
  if (window.dispatchEvent(new Event('${paperEvents.ask}', { cancelable: true }))) done();
})`;
