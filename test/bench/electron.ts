/**
 * `npm run bench -- electron`: start, memory and processor of the desk in a real Electron, with the
 * practice cases and with 20,000, alone and while documents come in.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { root, runDesk, startService, temporaryFolder } from '../support/processes.ts';
import { writePolicyWithoutLimits } from '../support/processes.ts';
import { cpuDuring, memoryOf } from './desk-processes.ts';
import { median, printFigure } from './figures.ts';
import { ask, electronPath, openDesk, startUntil, withDeskAlone } from './in-electron.ts';

const starts = 5;
const cases = 20_000;
/** What starts with the desk is over by then. */
const settleMs = 30_000;
const minuteMs = 60_000;

/** An application whose window shows one line. */
function writeEmptyApp(folder: string): string {
  const dir = join(folder, 'empty');
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ main: 'main.cjs' }));
  writeFileSync(
    join(dir, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron');
    app.setPath('userData', ${JSON.stringify(join(dir, 'data'))});
    app.whenReady().then(() => new BrowserWindow({ width: 1440, height: 900 }).loadURL('data:text/html,<p id=here>Here'));`,
  );
  return dir;
}

const listShown = "document.querySelector('.day-case')";

type Taken = Awaited<ReturnType<typeof startUntil>>;

/** Desk and empty window in turns; what Playwright takes to attach is in both. */
async function benchStart(name: string, home: string, empty: string): Promise<void> {
  const desk = () => startUntil(listShown, root, '--home', home, '--lang', 'en');
  const bare = () => startUntil("document.getElementById('here')", empty);
  await desk();
  await bare();
  const taken = { desk: [] as Taken[], bare: [] as Taken[] };
  for (let run = 0; run < starts; run += 1) {
    taken.bare.push(await bare());
    taken.desk.push(await desk());
  }
  const middle = (runs: Taken[], key: keyof Taken) => median(runs.map((each) => each[key]));
  const [own, other] = [middle(taken.desk, 'ms'), middle(taken.bare, 'ms')];
  printFigure({
    what: `start to the list of the day, ${name} (${Math.round(own)} ms; an empty window: ${Math.round(other)} ms)`,
    figure: own / other,
    unit: "times the empty window's start",
    limit: 2.5,
  });
  printFigure({
    what: `processor of a start to the list of the day, ${name} (an empty window: ${middle(taken.bare, 'coreSeconds').toFixed(2)})`,
    figure: middle(taken.desk, 'coreSeconds'),
    unit: 'core-seconds',
    limit: 1.6,
  });
}

async function benchIdle(executable: string, home: string): Promise<void> {
  await withDeskAlone(executable, home, async (pid) => {
    await sleep(settleMs);
    printFigure({
      what: 'memory of all processes, practice',
      figure: memoryOf(pid),
      unit: 'MB',
      limit: 450,
    });
    printFigure({
      what: 'processor of all processes within an idle minute, practice, without the recognition of scans',
      figure: await cpuDuring(pid, () => sleep(minuteMs)),
      unit: 's',
      limit: 1,
    });
  });
}

/** A home with the cases of a service, synced without limits. */
async function fillHome(home: string, folder: string, credentials: string): Promise<void> {
  process.env['DESK_POLICY'] = writePolicyWithoutLimits(folder);
  const connected = await runDesk(home, 'connect', '--credentials', credentials, '--as', 'expert');
  const synced = await runDesk(home, 'sync', '--documents', 'none');
  delete process.env['DESK_POLICY'];
  if (connected.code !== 0 || synced.code !== 0) throw new Error(connected.stderr + synced.stderr);
}

/** Every page with many cases, while documents come in within the published limits. */
async function benchPages(home: string): Promise<void> {
  const desk = await openDesk(home);
  const { app, page, pid } = desk;
  await page.locator('.day-case').first().waitFor();
  // Each takes its button away.
  const more = page.getByRole('button', { name: /^Show all/ });
  for (let left = await more.count(); left > 0; left -= 1) {
    await more.first().click();
    await expect(more).toHaveCount(left - 1);
  }
  await sleep(settleMs);
  const nodes = z.number().parse(await ask(app, "document.querySelectorAll('*').length"));
  const total = z
    .string()
    .parse(
      await ask(
        app,
        "document.querySelector('[aria-labelledby=today-overdue] [role=listitem]')?.ariaSetSize ?? document.querySelectorAll('.day-case').length + ''",
      ),
    );
  printFigure({
    what: `nodes of Today with ${total} overdue visits`,
    figure: nodes,
    unit: 'nodes',
    limit: 5000,
  });
  printFigure({
    what: `processor on Today while documents come in, ${cases} cases`,
    figure: (100 * (await cpuDuring(pid, () => sleep(minuteMs)))) / (minuteMs / 1000),
    unit: '% of a core',
    limit: 5,
  });
  for (const name of ['today', 'cases', 'reports', 'queue', 'batch', 'insights']) {
    await ask(app, `void (location.hash = '#/${name}')`);
    await sleep(settleMs / 3);
    printFigure({
      what: `memory of all processes at ${name}, ${cases} cases`,
      figure: memoryOf(pid),
      unit: 'MB',
      limit: 450,
    });
  }
  await desk.close();
}

async function bench(executable: string): Promise<void> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  const practice = join(folder.path, 'practice');
  const empty = writeEmptyApp(folder.path);
  // Recognizing the practice cases' scans begins after a minute and is work of a few seconds.
  const policy = join(folder.path, 'no-recognition.json');
  writeFileSync(policy, JSON.stringify({ textRecognition: false }));
  process.env['DESK_POLICY'] = policy;
  await benchStart('practice', practice, empty);
  await benchIdle(executable, practice);
  delete process.env['DESK_POLICY'];
  const args = ['--demo', String(cases), '--limits', 'x1000'];
  const service = await startService({ dataDir, args });
  try {
    const home = join(folder.path, 'home');
    await fillHome(home, folder.path, service.credentialsPath);
    await benchPages(home);
    await benchStart(`${cases} cases`, home, empty);
  } finally {
    await service.stop();
    folder.remove();
  }
}

const executable = electronPath();
if (executable !== null) await bench(executable);
