/**
 * The events of printing. With `ask` the desktop shell asks the page to load everything that is
 * printed; with `ready` the page reports that it has.
 */
export const paperEvents = { ask: 'desk-paper-ask', ready: 'desk-paper-ready' } as const;

/** A script for the page. It resolves once the page shows everything that belongs to its view. */
export const completeForPaper = `new Promise((done) => {
  window.addEventListener('${paperEvents.ready}', () => done(), { once: true });
  if (window.dispatchEvent(new Event('${paperEvents.ask}', { cancelable: true }))) done();
})`;
