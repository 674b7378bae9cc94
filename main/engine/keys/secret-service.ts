import { execFile } from 'node:child_process';

/**
 * How the keychain of a Linux desktop (Secret Service) stands:
 * - `absent`: this system has no such service
 * - `unknown`: not to be found out, as on other systems or without `dbus-send`
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

/** What D-Bus and libsecret say if there is no Secret Service, or no bus that could have one. */
export const serviceAbsent =
  /ServiceUnknown|name org\.freedesktop\.secrets was not provided by any \.service files|Failed to open connection|Could not connect|dbus-launch|autolaunch/i;

/** Asks the Secret Service without having it ask the user for a password. */
export function secretServiceState(): Promise<SecretServiceState> {
  if (process.platform !== 'linux') return Promise.resolve('unknown');
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    // A bus that hangs keeps dbus-send waiting before its own limit counts.
    const timeout = 2 * answerWithinMs;
    execFile('dbus-send', question, { env, timeout }, (_error, stdout, stderr) => {
      if (stdout.includes('boolean true')) resolve('locked');
      else if (stdout.includes('boolean false')) resolve('unlocked');
      else resolve(serviceAbsent.test(stderr) ? 'absent' : 'unknown');
    });
  });
}
