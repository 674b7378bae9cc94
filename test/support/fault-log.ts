import type { FaultLog } from '#main/log/faults.ts';

/** Writes the unexpected errors of a test's engine to stderr, where a failed run shows them. */
export const faultLog: FaultLog = {
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
