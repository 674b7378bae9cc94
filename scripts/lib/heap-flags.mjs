/** Programs whose user waits for each answer. With 8 MB at a time they are as fast as with more. */
const desks = ['main/start.ts', 'main/cli/desk.ts'];
/**
 * Programs that serve requests. With 4 MB at a time, a document of 50 MB passes through a server
 * within 48 MB.
 */
const servers = ['main/service/server.ts', 'main/gateway/server.ts'];

/**
 * Returns Node's flags for a program. Without them V8 lets the young generation grow to 64 MB, even
 * if little of it survives.
 * @param {string | undefined} target the program's script, from the project's root
 * @returns {string[]}
 */
export function heapFlags(target = '') {
  if (desks.includes(target)) return ['--max-semi-space-size=8'];
  return servers.includes(target) ? ['--max-semi-space-size=4'] : [];
}
