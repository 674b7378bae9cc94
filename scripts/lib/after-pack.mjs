import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Called by electron-builder once a package is laid out, before it is signed. Removes the default
 * application of Electron: the builder leaves it if it takes the runtime from a folder.
 *
 * @param {{ appOutDir: string, packager: { getResourcesDir: (appOutDir: string) => string } }} context
 */
export default function removeDefaultApp({ packager, appOutDir }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}
