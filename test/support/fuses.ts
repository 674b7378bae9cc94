import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect } from 'vitest';

/** Checks the fuses of a package against docs/security.md. */
export async function expectFusesOfRelease(executable: string): Promise<void> {
  // The wire uses these letters.
  const [ENABLE, DISABLE] = Buffer.from('10');
  expect(await getCurrentFuseWire(executable)).toMatchObject({
    [FuseV1Options.RunAsNode]: DISABLE,
    [FuseV1Options.EnableCookieEncryption]: ENABLE,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: DISABLE,
    [FuseV1Options.EnableNodeCliInspectArguments]: DISABLE,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ENABLE,
    [FuseV1Options.OnlyLoadAppFromAsar]: ENABLE,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: DISABLE,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: DISABLE,
  });
}
