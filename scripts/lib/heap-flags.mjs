/** Programs in which a person waits for each answer: 8 MB at a time are as quick as more. */
const desks = ['main/start.ts', 'main/cli/desk.ts'];
/** With 4 MB at a time, a document of 50 MB passes through a server within 48 MB. */
const servers = ['main/service/server.ts', 'main/gateway/server.ts'];

/**
 * Node's flags for a program: V8 lets the young part of a heap grow to 64 MB however little of it
 * lives on.
 * @param {string | undefined} target the program's script, from the project's root
 * @returns {string[]}
 */
export function heapFlags(target = '') {
  if (desks.includes(target)) return ['--max-semi-space-size=8'];
  return servers.includes(target) ? ['--max-semi-space-size=4'] : [];
}
