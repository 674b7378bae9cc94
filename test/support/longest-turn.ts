/**
 * Measures the longest processor time of this thread between two turns of its event loop. A call of
 * the window would wait that long. A busy machine does not change the result.
 */
export function startTurns(): { stop(): number } {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  let next: NodeJS.Immediate;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return {
    stop() {
      clearImmediate(next);
      return longestMs;
    },
  };
}
