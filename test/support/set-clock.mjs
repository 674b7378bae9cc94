/**
 * Sets the clock of this process or page, like that of a laptop whose battery was flat. As text the
 * function runs in a page. A process imports this file with `CLOCK_OFFSET_MS` in its environment.
 * @param {number} offsetMs the clock's time minus the real time
 */
export function setClock(offsetMs) {
  const RightDate = Date;
  const now = () => RightDate.now() + offsetMs;
  globalThis.Date = new Proxy(RightDate, {
    construct: (_target, given) => Reflect.construct(RightDate, given.length > 0 ? given : [now()]),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

const offsetMs = globalThis.process?.env['CLOCK_OFFSET_MS'];
if (offsetMs !== undefined) setClock(Number(offsetMs));
