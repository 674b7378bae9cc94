import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/**
 * The marker that identifies the fuses in Electron's executable, and the wire as Electron ships it.
 */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100011'),
]);

const plist = (name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
  <key>CFBundleExecutable</key><string>${name}</string>
  <key>CFBundleIdentifier</key><string>com.github.Electron</string>
  <key>CFBundleName</key><string>${name}</string>
</dict></plist>
`;

/**
 * Creates a folder that electron-builder accepts as Electron's runtime. It has the right names,
 * executables with the fuses, and an archive, but nothing that runs. It makes the packaging
 * testable on every system.
 */
export async function makeRuntime(dir: string, platform: 'linux' | 'win32' | 'darwin') {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
    chmodSync(join(dir, path), 0o755);
  };
  const resources = platform === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
  write('version', '45.4.1');
  write('LICENSE', 'a licence');
  write('LICENSES.chromium.html', 'licences');
  mkdirSync(join(dir, resources), { recursive: true });
  const empty = mkdtempSync(join(tmpdir(), 'default-app-'));
  writeFileSync(join(empty, 'index.js'), '');
  await createPackage(empty, join(dir, resources, 'default_app.asar'));
  rmSync(empty, { recursive: true });
  if (platform === 'linux') {
    write('electron', fuseWire);
    write('locales/de.pak', '');
    write('locales/ja.pak', '');
  } else if (platform === 'win32') {
    write('electron.exe', windowsExecutable());
    write('locales/de.pak', '');
  } else {
    const contents = 'Electron.app/Contents';
    write(`${contents}/MacOS/Electron`, 'stub');
    write(`${contents}/Info.plist`, plist('Electron'));
    write(`${contents}/Resources/electron.icns`, '');
    const frameworks = `${contents}/Frameworks`;
    const framework = `${frameworks}/Electron Framework.framework`;
    write(`${framework}/Electron Framework`, fuseWire);
    write(`${framework}/Versions/A/Resources/de.lproj/locale.pak`, '');
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
      const helper = `Electron Helper${kind}`;
      write(`${frameworks}/${helper}.app/Contents/Info.plist`, plist(helper));
      write(`${frameworks}/${helper}.app/Contents/MacOS/${helper}`, 'stub');
    }
  }
}

/** Windows reads the name and the version from resources, which the builder replaces. */
function windowsExecutable(): Buffer {
  const executable = NtExecutable.createEmpty(false, false);
  const resource = NtExecutableResource.from(executable, true);
  const language = { lang: 1033, codepage: 1200 };
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues(language, { ProductName: 'Electron', FileDescription: 'Electron' });
  version.outputToResourceEntries(resource.entries);
  resource.outputResource(executable);
  return Buffer.concat([Buffer.from(executable.generate()), fuseWire]);
}
