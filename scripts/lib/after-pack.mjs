import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes the default application of Electron. electron-builder calls this when a package is laid
 * out, before it is signed. The builder leaves the application in if it takes the runtime from a
 * folder.
 *
 * @param {{ appOutDir: string, packager: { getResourcesDir: (appOutDir: string) => string } }} context
 */
export default function removeDefaultApp({ packager, appOutDir }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}
