import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Telephone } from '#main/engine/telephone/telephone.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { openPrivateNetwork } from '../../../support/private-network.ts';
import { sampleCase, testFolder } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

const network = openPrivateNetwork();
afterAll(() => network?.close());

interface Task {
  readonly ms: number;
  readonly run: () => void;
}
let tasks: Task[];
let events: string[];
let interfaces: 'there' | 'gone';
let open: { workspace: OpenWorkspace } | null;
let draftId: string;
let telephone: Telephone;
let noted: (port: number) => void;

const own = {
  netmask: '255.255.255.252',
  family: 'IPv4' as const,
  mac: '00:00:00:00:00:00',
  internal: false,
  cidr: null,
};
const runDue = (ms: number) => {
  const due = tasks.filter((one) => one.ms === ms);
  tasks = tasks.filter((one) => one.ms !== ms);
  for (const { run } of due) run();
};

beforeEach(async () => {
  const workspace = await openTestWorkspace();
  workspace.cache.cases.upsert([sampleCase(1)]);
  draftId = workspace.work.drafts.create(sampleCase(1).id).id;
  const page = testFolder();
  for (const name of ['telephone.js', 'telephone.css']) writeFileSync(join(page, name), '');
  noted = () => undefined;
  [tasks, events, interfaces, open] = [[], [], 'there', { workspace }];
  const after = (ms: number, run: () => void) => {
    const task = { ms, run };
    tasks.push(task);
    return () => (tasks = tasks.filter((one) => one !== task));
  };
  telephone = new Telephone(
    {
      options: {
        random: systemRandom,
        clock: { ...systemClock, after },
        log: faultLog,
        telephonePage: page,
      },
      settings: {
        telephone: { isOn: true, networks: null },
        telephonePlace: undefined,
        setTelephonePlace: (place) => noted(place.port),
        language: 'de',
      },
      current: {
        get open() {
          return open;
        },
        workspace,
      },
      emit: ({ type }) => events.push(type),
    },
    () => ({
      lan: interfaces === 'there' ? [{ ...own, address: network?.address ?? '' }] : [],
    }),
  );
});

describe.skipIf(network === null)('the session with a telephone', () => {
  it('ends if another workspace opens while it begins', async () => {
    const beginning = telephone.begin(draftId, null);
    open = null;
    await telephone.workspaceChanged();
    await beginning;
    expect(telephone.state().session).toBeNull();
  });

  it('leaves nothing that listens if the settings cannot be written', async () => {
    let port = 0;
    noted = (given) => {
      port = given;
      throw new Error('no space left');
    };
    await expect(telephone.begin(draftId, null)).rejects.toThrow('no space left');
    expect(telephone.state().session).toBeNull();
    expect(port).toBeGreaterThan(0);
    await expect(fetch(`http://${network?.address ?? ''}:${port}/`)).rejects.toThrow(
      'fetch failed',
    );
  });

  it('says that this device no longer has its address, and has it again', async () => {
    await telephone.begin(draftId, null);
    expect(telephone.state().session?.isReachable).toBe(true);
    for (const [now, isReachable] of [
      ['gone', false],
      ['there', true],
    ] as const) {
      events = [];
      interfaces = now;
      runDue(telephoneLimits.lookMs);
      expect(events).toEqual(['telephone.changed']);
      expect(telephone.state().session?.isReachable).toBe(isReachable);
    }
    events = [];
    runDue(telephoneLimits.lookMs);
    expect(events).toEqual([]);
    await telephone.end();
    expect(tasks).toEqual([]);
  });
});
