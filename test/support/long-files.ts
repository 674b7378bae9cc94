import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { DocumentContentType } from '#shared/api/document.ts';
import { typeOfName } from '#shared/lib/file-type.ts';
import type { WholeFile } from './half-files.ts';

/*
 * About 200 whole files of every kind: those of the repository, those that the programs of the
 * second readers' packages create, and documents from this system's packages.
 */

const root = join(import.meta.dirname, '../..');
const folders = [
  'test/support/fixtures',
  'test/support/fixtures/pictures',
  'test/main/engine/templates/inputs',
  'main/service/practice/fixtures',
  'main/engine/templates/supplied',
  'build/icons',
];
/** This file needs a password, which no second reader has. */
const locked = new Set(['pw-user.pdf']);
/** These files are broken from the start. */
const broken = new Set(['tiff-loop.tif', 'acropalypse.png']);
const ofSystemMax = 12;
const systemBytesMax = 400_000;

/** Returns the files. It takes seconds, because it starts programs. */
export function longFiles(): WholeFile[] {
  const ofRepository = folders.flatMap((folder) =>
    namesIn(join(root, folder)).flatMap((name) => fileAt(join(root, folder, name), 'repository')),
  );
  return [...ofRepository, ...madeFiles(), ...systemFiles()].filter(
    ({ name }) => !locked.has(name) && !broken.has(name),
  );
}

const namesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

function fileAt(path: string, from: string, named?: DocumentContentType): WholeFile[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const contentType = named ?? typeOfName(name);
  if (contentType === null) return [];
  return [
    { kind: `${extname(name).slice(1)} (${from})`, name, contentType, bytes: readFileSync(path) },
  ];
}

/** Creates each compression of a TIFF, both forms of a JPEG and of a WebP, and a HEIC. */
function madeFiles(): WholeFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'long-files-'));
  const at = (name: string) => join(folder, name);
  const run = (program: string, ...args: string[]) => {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  };
  try {
    for (const photo of ['car-1', 'house']) {
      const source = join(root, 'main/service/practice/fixtures', `${photo}.jpg`);
      run('jpegtran', '-progressive', '-outfile', at(`${photo}-progressive.jpg`), source);
      run('jpegtran', '-restart', '1', '-outfile', at(`${photo}-restarts.jpg`), source);
      run('jpegtran', '-grayscale', '-outfile', at(`${photo}-grey.jpg`), source);
      run('djpeg', '-scale', '1/2', '-outfile', at('pixels.ppm'), source);
      run('ppm2tiff', '-c', 'none', at('pixels.ppm'), at('pixels.tiff'));
      for (const scheme of ['none', 'lzw', 'lzw:2', 'zip', 'zip:2', 'packbits', 'jpeg', 'jpeg:r'])
        run('tiffcp', '-r', '16', '-c', scheme, at('pixels.tiff'), at(`${photo}-${scheme}.tif`));
      run('djpeg', '-grayscale', '-scale', '1/2', '-outfile', at('grey.pgm'), source);
      run('ppm2tiff', '-c', 'none', at('grey.pgm'), at('grey.tiff'));
      run('tiffdither', '-c', 'none', at('grey.tiff'), at('lines.tiff'));
      for (const scheme of ['g3:1d', 'g3:2d', 'g3:1d:fill', 'g4', 'packbits', 'lzw', 'zip'])
        run(
          'tiffcp',
          '-r',
          '64',
          '-c',
          scheme,
          at('lines.tiff'),
          at(`${photo}-lines-${scheme}.tif`),
        );
      run('cwebp', '-quiet', '-q', '60', at('pixels.ppm'), '-o', at(`${photo}-lossy.webp`));
      run('cwebp', '-quiet', '-lossless', at('pixels.ppm'), '-o', at(`${photo}-lossless.webp`));
      run('heif-enc', '-q', '50', source, '-o', at(`${photo}.heic`));
    }
    return namesIn(folder)
      .filter((name) => !/\.(?:ppm|pgm|tiff)$/.test(name))
      .flatMap((name) => fileAt(at(name), 'made'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns an even selection of files from packages for each kind. Programs' archives count as ZIP.
 */
function systemFiles(): WholeFile[] {
  const found = readdirSync('/usr/share', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:pdf|png|jpg|jar)$/.test(name))
    .map((name) => join('/usr/share', name))
    .filter((path) => {
      const seen = statSync(path, { throwIfNoEntry: false });
      return seen?.isFile() === true && seen.size > 0 && seen.size < systemBytesMax;
    })
    .toSorted();
  return ['.pdf', '.png', '.jpg', '.jar'].flatMap((end) => {
    const paths = found.filter((path) => path.endsWith(end));
    const step = Math.max(1, Math.floor(paths.length / ofSystemMax));
    return paths
      .filter((_, index) => index % step === 0)
      .slice(0, ofSystemMax)
      .flatMap((path) =>
        end === '.jar'
          ? [
              {
                kind: 'zip (system)',
                name: `${path.split('/').at(-1)}.zip`,
                contentType: 'application/zip' as const,
                bytes: readFileSync(path),
              },
            ]
          : fileAt(path, 'system'),
      );
  });
}
