/** Where the specs of a kind run in `npm test`. `npm run test:long` runs `first` in both shells. */
type Shells = 'electron' | 'both' | 'first' | 'browser';

interface Kind {
  readonly shells: Shells;
  /** The reason, as the end of "they run there because". */
  readonly because: string;
  readonly specs: readonly string[];
}

/**
 * Every spec by the shells in which `npm test` runs it (decision 50). A rule of the window or of the
 * engine is the same in both shells, so the browser proves it first. Whatever goes through the shell
 * has a journey in both.
 */
export const kinds: readonly Kind[] = [
  {
    shells: 'electron',
    because: 'they test the desktop shell itself',
    specs: [
      'electron-desktop',
      'electron-keychain',
      'electron-network',
      'electron-office',
      'electron-shell',
    ],
  },
  {
    shells: 'both',
    because:
      'the first start and the main job, with picked files and a kill, are what the desk is for',
    specs: ['main-job'],
  },
  {
    shells: 'both',
    because: 'photos travel over the shell’s protocol, and the camera’s folder is read',
    specs: ['photos'],
  },
  {
    shells: 'both',
    because: 'a bound of memory for shown documents once held in one shell only',
    specs: ['shown-documents'],
  },
  {
    shells: 'both',
    because: 'files are dropped, as folders too, and pasted, by the hundred in the long form',
    specs: ['report'],
  },
  {
    shells: 'both',
    because: 'a filled template goes to another program and back, and fields to the clipboard',
    specs: ['templates'],
  },
  {
    shells: 'both',
    because: 'the practice service runs on a thread of the engine, whose process is the shell’s',
    specs: ['practice'],
  },
  {
    shells: 'both',
    because: 'the content security policy, the keyboard and the second window are the shell’s',
    specs: ['whole'],
  },
  {
    shells: 'first',
    because: 'they test pages of the window, which ask the engine and nothing else',
    specs: [
      'back-office',
      'batch',
      'clicks',
      'evening-before',
      'help',
      'help-pictures',
      'list',
      'no-connection',
      'odd-payload',
      'settings',
      'two-values',
      'window',
    ],
  },
  {
    shells: 'first',
    because: 'they print or read documents as main-job, shown-documents and electron-shell do',
    specs: ['case', 'pictures', 'returned-report'],
  },
  {
    shells: 'first',
    because: 'a kill ends the engine, whose stores are the same in both shells; main-job has one',
    specs: ['batch-killed', 'on-site', 'photos-killed'],
  },
  {
    shells: 'first',
    because: 'the engine alone serves the telephone, closes the day and knows the insurer’s time',
    specs: ['close-of-day', 'flat-battery', 'telephone'],
  },
  {
    shells: 'first',
    because: 'windows of one desk speak over the engine; whole has a second window in both shells',
    specs: ['two-screens'],
  },
  {
    shells: 'browser',
    because: 'they test the port and the page that only the browser shell has',
    specs: ['engine-killed', 'stranger'],
  },
];

/**
 * Details of a test that tests the window alone, in a spec that runs in both shells: `npm test` runs
 * it in the browser, and `npm run test:long` in both.
 */
export const ofWindow = { tag: '@window' } as const;

/** Returns the tags of the tests that a shell does not run, as Playwright's pattern. */
export const tagsIgnoredIn = (shell: 'browser' | 'electron', isLong: boolean): RegExp | null =>
  shell === 'electron' && !isLong ? new RegExp(ofWindow.tag) : null;

/** Returns the files of the specs that a shell does not run, as Playwright's patterns. */
export function ignoredIn(shell: 'browser' | 'electron', isLong: boolean): string[] {
  const isIgnored = ({ shells }: Kind) =>
    shell === 'browser'
      ? shells === 'electron'
      : shells === 'browser' || (shells === 'first' && !isLong);
  return kinds.filter(isIgnored).flatMap(({ specs }) => specs.map((name) => `**/${name}.spec.ts`));
}
