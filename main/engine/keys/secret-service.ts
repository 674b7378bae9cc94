import { execFile } from 'node:child_process';

/**
 * The state of the keychain of a Linux desktop (Secret Service):
 * - `absent`: this system has no such service
 * - `unknown`: the state cannot be determined, as on other systems or without `dbus-send`
 */
export type SecretServiceState = 'locked' | 'unlocked' | 'absent' | 'unknown';

const answerWithinMs = 2000;

const question = [
  '--session',
  '--print-reply=literal',
  `--reply-timeout=${String(answerWithinMs)}`,
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
];

/** The messages of D-Bus and libsecret if there is no Secret Service, or no bus for one. */
export const serviceAbsent =
  /ServiceUnknown|name org\.freedesktop\.secrets was not provided by any \.service files|Failed to open connection|Could not connect|dbus-launch|autolaunch/i;

/** Asks the Secret Service without a prompt to the user for a password. */
export function secretServiceState(): Promise<SecretServiceState> {
  if (process.platform !== 'linux') return Promise.resolve('unknown');
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    // The timeout of the process. If the bus hangs, dbus-send waits before its own limit begins.
    const timeout = 2 * answerWithinMs;
    execFile('dbus-send', question, { env, timeout }, (_error, stdout, stderr) => {
      if (stdout.includes('boolean true')) resolve('locked');
      else if (stdout.includes('boolean false')) resolve('unlocked');
      else resolve(serviceAbsent.test(stderr) ? 'absent' : 'unknown');
    });
  });
}
