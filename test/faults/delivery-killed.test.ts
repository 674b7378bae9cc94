import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { chooseVault } from '#main/shell/home.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { endsWithTests } from '../support/children.ts';
import { seededRandom } from '../main/engine/support/seeded-random.ts';
import { smokeOrLong } from '../support/long.ts';
import { root, runDesk, writePolicyWithoutLimits } from '../support/processes.ts';
import { type ServiceHere, serviceFolderHere } from '../support/service-here.ts';
import { makeLargeJpeg, makePdf, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView, sha256Hex } from '../support/server-view.ts';
import { openWire, type Traffic, type Wire } from '../support/wire.ts';
import { faultLog } from '../support/fault-log.ts';

const runs = smokeOrLong(2, 50);
const workableStatuses = ['Accepted', 'InProgress', 'ExpertCompleted', 'AdminReturned'];

/** `desk sync`, killed with SIGKILL as soon as `moment` is there; resolves with whether it was. */
async function syncAndKill(home: string, moment: Promise<void>): Promise<boolean> {
  const args = [join(root, 'main/cli/desk.ts'), '--home', home, '--json', 'sync'];
  const child = endsWithTests(spawn(process.execPath, args, { cwd: root, stdio: 'ignore' }));
  const ended = once(child, 'exit');
  await Promise.race([ended, moment]);
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL';
}

describe('an engine killed with SIGKILL at a random moment of a delivery', () => {
  const folder = serviceFolderHere();
  const home = folder.at('home');
  let service: ServiceHere;
  let server: ServerView;
  let cases: string[];
  let wire: Wire;
  let whole: Traffic;
  let vault: Vault;
  let files: string[];
  let expected: { fileName: string; isSalvageSale: boolean; sha256: string }[];

  /** The engine in this process, for steps that are not killed. It is opened again each time. */
  async function withEngine(act: (engine: Engine) => Promise<void>): Promise<void> {
    const engine = await openEngine({
      home,
      vault,
      policy: readPolicy(process.env),
      clock: systemClock,
      random: systemRandom,
      log: faultLog,
    });
    try {
      await act(engine);
    } finally {
      await engine.close();
    }
  }

  const queueReport = (caseId: string) =>
    withEngine(async (engine) => {
      const draft = await engine.reports.createDraft({ id: caseId });
      for (const path of files) {
        const fileName = basename(path);
        const isSalvageSale = fileName === 'Restwert.pdf';
        const content = createReadStream(path);
        await engine.files.addAttachment(draft.id, { fileName, content, isSalvageSale });
      }
      await engine.reports.submitDraft({ draftId: draft.id });
    });

  /** Syncs until nothing waits, as a desk that stays open does. */
  const finish = () =>
    withEngine(async (engine) => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const result = await engine.sync.run({ documents: 'none' });
        expect(result.attention).toBe(0);
        if (result.waiting === 0) return;
      }
      throw new Error('the queue did not empty');
    });

  beforeAll(async () => {
    wire = await openWire();
    const size = ['--demo', String(20 + runs * 3), '--limits', 'x1000', '--backoffice'];
    service = await folder.start(...size, '--public-url', wire.url);
    wire.connectTo(service.port);
    server = await openServerView(service.credentials, service.baseUrl);
    cases = (await server.cases())
      .filter((each) => workableStatuses.includes(String(each['Status'])))
      .map((each) => String(each['Id']));
    expect(cases.length).toBeGreaterThan(runs);

    process.env['DESK_POLICY'] = writePolicyWithoutLimits(folder.path);
    files = [
      writeSample(folder.path, 'Gutachten.pdf', await makePdf('Gutachten')),
      writeSample(folder.path, 'Fotos.jpg', makeLargeJpeg(14 * 1024 * 1024)),
      writeSample(folder.path, 'Restwert.pdf', await makePdf('Restwert')),
    ];
    expected = files
      .map((path) => ({
        fileName: basename(path),
        isSalvageSale: path.endsWith('Restwert.pdf'),
        sha256: sha256Hex(readFileSync(path)),
      }))
      .sort((a, b) => a.fileName.localeCompare(b.fileName));

    const credentials = ['connect', '--credentials', service.credentialsPath, '--as', 'expert'];
    const connected = await runDesk(home, ...credentials);
    expect(connected.code, connected.stderr).toBe(0);
    vault = await chooseVault({
      home,
      passphraseVault: false,
      passphrase: undefined,
      withoutKeychain: 'refuse',
    });
    await finish();
    // One undisturbed delivery counts the steps over which the kills are spread.
    const first = cases.shift() ?? '';
    const before = (await server.reports(first)).length;
    await queueReport(first);
    wire.restart();
    const undisturbed = await runDesk(home, 'sync');
    whole = wire.traffic;
    expect(undisturbed.code, undisturbed.stderr).toBe(0);
    expect(await server.reports(first)).toHaveLength(before + 1);
    expect(whole.sentBytes).toBeGreaterThan(14 * 1024 * 1024);
  });

  afterAll(async () => {
    delete process.env['DESK_POLICY'];
    await folder.end();
    await wire.close();
  });

  const random = seededRandom(20261120);
  it(`leaves exactly one submission with exactly three documents, ${runs} times`, async () => {
    let killed = 0;
    for (const caseId of cases.slice(0, runs)) {
      const before = new Set((await server.reports(caseId)).map((report) => report['Id']));
      await queueReport(caseId);
      // By bytes nearly every kill falls into the large document, by answers between requests.
      wire.restart();
      const moment = wire.deadAfter(
        random() < 0.5
          ? { sentBytes: Math.ceil(random() * whole.sentBytes) }
          : { answers: Math.ceil(random() * whole.answers) },
      );
      if (await syncAndKill(home, moment)) killed += 1;
      wire.restart();
      await finish();

      const added = (await server.reports(caseId)).filter((report) => !before.has(report['Id']));
      expect(added.map((report) => report['Status'])).toEqual(['Submitted']);
      const documents = await server.documents(String(added[0]?.['Id']));
      expect(
        documents.map(({ fileName, isSalvageSale, sha256 }) => ({
          fileName,
          isSalvageSale,
          sha256,
        })),
      ).toEqual(expected);
    }
    // Else there was less to send than in the undisturbed delivery, and the test proves little.
    expect(killed).toBeGreaterThan(runs / 2);
  }, 600_000);
});
