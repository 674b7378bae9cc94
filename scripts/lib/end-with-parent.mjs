const everyMs = 500;

/**
 * Ends a program whose parent is gone. npm dies of SIGTERM without passing it on, and what it
 * started would hold its home or data folder for ever. The system tells a process of the death of
 * its children only, so the parent is looked up twice a second.
 *
 * @param {() => void} end called once
 */
export function endWithParent(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, everyMs);
  timer.unref();
}
