import { spawn } from 'node:child_process';

/** Hands over to Electron and ends as it ends. */
export function runElectron(
  executable: string,
  root: string,
  args: readonly string[],
  passphrase: string | undefined,
): void {
  const env = { ...process.env, ...(passphrase && { DESK_VAULT_PASSPHRASE: passphrase }) };
  const child = spawn(executable, [root, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', () => (process.exitCode = 1));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
