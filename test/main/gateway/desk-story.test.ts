import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { auditHead, auditLine, readAudit, type AuditRecord } from '#main/gateway/writing/audit.ts';
import {
  createCode,
  createReplacementCode,
  revokeClient,
  setDispatcher,
} from '#main/gateway/auth/clients.ts';
import { readFindings, writeState } from '#main/gateway/state.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemRandom } from '#main/shell/system.ts';
import { smallPdf } from '../../support/pdf-files.ts';
import { printedItem } from '../../support/printed.ts';
import {
  casesSchema,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
} from '../../support/desk-in-process.ts';
import { acceptedCase } from '../service/support/claims.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from './support/gateway.ts';
import { startLine, type LineFault } from './support/line.ts';
import { faultLog } from '../../support/fault-log.ts';

let folder: string;
let service: ServiceForTest;
let gateway: GatewayForTest;
let caseId: string;

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  caseId = (await acceptedCase(service, await service.partner('insurer'))).Id;
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-at-gateway-'));
  gateway = await startGateway(service);
});
afterEach(async () => {
  await gateway.remove();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => service.remove());

const newCode = async () =>
  (await createCode(gateway.context.db, machineClock, { name: 'Laptop 12', isDispatcher: false }))
    .code;
const connectedSchema = z.looseObject({
  workspace: z.looseObject({ kind: z.literal('connection'), clientId: z.string() }),
});
const syncedSchema = z.looseObject({ pulled: z.int(), delivered: z.int(), waiting: z.int() });

test('desk: a laptop is enrolled with a code, works through the gateway, and shows that it was revoked', async () => {
  const desk = createDeskRunner(join(folder, 'home'));
  const run = await desk('connect', '--gateway', gateway.baseUrl, '--code', await newCode());
  expect([run.code, run.stderr]).toEqual([0, '']);
  const { clientId } = run.json(connectedSchema).workspace;
  expect((await desk('sync')).json(syncedSchema)).toMatchObject({ pulled: 1, waiting: 0 });
  expect((await desk('cases')).json(casesSchema).items.map(({ id }) => id)).toEqual([caseId]);

  await desk('amounts', caseId, '--estimate', '1200.50', '--approved', '0');
  const file = join(folder, 'report.pdf');
  const pdf = smallPdf('Seen.');
  writeFileSync(file, pdf);
  const { id } = (
    await desk('report', caseId, '--file', file, '--comment', 'Seen.', '--submit')
  ).json(printedItem);
  expect((await desk('sync')).json(syncedSchema)).toMatchObject({ delivered: 2, waiting: 0 });

  const report = (await desk('queue', 'show', String(id))).json(printedItem);
  expect(report.state).toBe('delivered');
  const expert = await service.partner('expert');
  const reports = await expert.request('GET', `/v1/experts/cases/${caseId}/reports`);
  const { Items } = reports.json as { Items: { Id: string }[] };
  expect(Items).toHaveLength(1);
  const documents = `/v1/experts/reports/${Items[0]?.Id ?? ''}/documents`;
  expect((await expert.request('GET', documents)).text).toContain(pdf.toString('base64'));
  // One correlation id names a step at the laptop, the gateway and the partner.
  const submitted = report.steps.at(-1)?.delivered?.correlationId ?? '';
  const audited: AuditRecord[] = [];
  for await (const entry of readAudit(gateway.context.db, 0)) {
    if (entry.correlationId === submitted) audited.push(entry);
  }
  expect(audited).toMatchObject([{ clientId, operation: 'X15', status: 200 }]);
  const [line = ''] = audited.map(auditLine);
  expect(line).toMatch(new RegExp(`;${clientId};Laptop 12;X15;${caseId};200;${submitted}\r\n$`));
  expect(auditHead).toContain('clientId;name;operation;subject;status;correlationId\r\n');

  await desk('comment', caseId, 'Not sent any more.');
  await revokeClient(gateway.context.db, machineClock, clientId);
  const out = await desk('sync');
  expect([out.code, out.json(errorSchema).code]).toEqual([1, 'access_revoked']);
  expect(out.json(errorSchema).message).toContain('can be backed up');

  // With a new code the laptop is the same client, and its unsent work is sent.
  const code = (await createReplacementCode(gateway.context.db, machineClock, clientId))?.code;
  const back = await desk('connect', '--gateway', gateway.baseUrl, '--code', code ?? '');
  expect(back.json(connectedSchema).workspace.clientId).toBe(clientId);
  expect((await desk('sync')).json(syncedSchema)).toMatchObject({ delivered: 1, waiting: 0 });
});

test('desk: a laptop that is revoked in the middle of a report goes on with it as the same client', async () => {
  const desk = createDeskRunner(join(folder, 'home'));
  const { clientId } = (
    await desk('connect', '--gateway', gateway.baseUrl, '--code', await newCode())
  ).json(connectedSchema).workspace;
  const { Id: id } = await acceptedCase(service, await service.partner('insurer'));
  await gateway.context.pull.now();
  await desk('sync');
  const files = ['one', 'two', 'three'].map((name) => join(folder, `${name}.pdf`));
  for (const file of files) writeFileSync(file, smallPdf(file));
  await desk('report', id, ...files.flatMap((file) => ['--file', file]), '--submit');
  const expert = await service.partner('expert');
  const documents = async () => {
    const reports = await expert.request('GET', `/v1/experts/cases/${id}/reports`);
    const { Items } = reports.json as { Items: { Id?: string; Status?: string }[] };
    const [{ Id = '', Status } = {}, ...others] = Items;
    expect(others).toEqual([]);
    const list = await expert.request('GET', `/v1/experts/reports/${Id}/documents`);
    return { Status, total: (list.json as { Total: number }).Total };
  };
  // The access ends between the first document and the second.
  const { upstream, db } = gateway.context;
  const pass = upstream.pass.bind(upstream);
  let uploads = 0;
  vi.spyOn(upstream, 'pass').mockImplementation(async (client, change) => {
    if (change.operation === 'X13') uploads += 1;
    if (uploads === 2) await revokeClient(db, machineClock, clientId);
    return await pass(client, change);
  });
  // The round had read the list, and still says why it ended.
  const stopped = await desk('sync');
  const reason = stopped.json(z.looseObject({ fault: z.looseObject({ code: z.string() }) }));
  expect([stopped.code, reason.fault.code]).toEqual([1, 'access_revoked']);
  expect(stopped.stderr).toContain('can be backed up');
  expect(await documents()).toEqual({ Status: 'Draft', total: 1 });

  vi.restoreAllMocks();
  const code = (await createReplacementCode(gateway.context.db, machineClock, clientId))?.code;
  await desk('connect', '--gateway', gateway.baseUrl, '--code', code ?? '');
  expect((await desk('sync')).json(syncedSchema)).toMatchObject({ delivered: 1, waiting: 0 });
  expect(await documents()).toEqual({ Status: 'Submitted', total: files.length });
});

test('desk: a code is refused in words, and a lost answer costs no code', async () => {
  const desk = createDeskRunner(join(folder, 'home'));
  const code = await newCode();
  const connect = (address: string, text: string) =>
    desk('connect', '--gateway', address, '--code', text);
  const mistyped = await connect(
    gateway.baseUrl,
    code.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  );
  expect([mistyped.code, mistyped.json(errorSchema).code]).toEqual([1, 'code_refused']);
  const wrong = await connect(service.baseUrl, code);
  expect([wrong.code, wrong.json(errorSchema).code]).toEqual([1, 'gateway_missing']);
  expect((await desk('cases')).code).toBe(3);

  const line = await startLine();
  line.target = gateway.baseUrl;
  const faults: LineFault[] = ['drop-after'];
  line.fault = () => faults.shift() ?? 'none';
  const lost = await connect(line.baseUrl, code);
  expect(lost.code).toBe(6);
  const again = await connect(line.baseUrl, code.toLowerCase());
  expect([again.code, again.stderr]).toEqual([0, '']);
  const clients = await gateway.context.db.selectFrom('clients').select('client_id').execute();
  expect(clients).toHaveLength(1);
  await line.stop();
  // Another laptop gets nothing for the same code.
  const other = createDeskRunner(join(folder, 'other'));
  const refused = await other('connect', '--gateway', gateway.baseUrl, '--code', code);
  expect(refused.json(errorSchema).code).toBe('code_refused');
});

test('desk: a laptop does not report synced while its gateway has not read the whole list', async () => {
  const desk = createDeskRunner(join(folder, 'home'));
  await desk('connect', '--gateway', gateway.baseUrl, '--code', await newCode());
  await gateway.context.pull.now();
  // The gateway's next pull would find that the list is whole.
  await gateway.context.pull.stop();
  const { db } = gateway.context;
  const found = {
    ...(await readFindings(db)),
    incomplete: { reason: 'missing', seen: 1, total: 3 },
  };
  await writeState(db, 'pull_findings', JSON.stringify(found));
  const sync = await desk('sync');
  expect(sync.code).toBe(1);
  expect(sync.json(z.looseObject({ incomplete: z.string() })).incomplete).toBe('missing');

  await gateway.context.pull.now();
  expect((await desk('sync')).json(syncedSchema)).not.toHaveProperty('incomplete');
});

test('desk: a code in the file of IT enrols a laptop at its start, as soon as the gateway is there', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  const file = join(home, 'provision.json');
  writeFileSync(file, JSON.stringify({ code: await newCode(), name: 'Office' }));
  const line = await startLine();
  const vault = createMemoryVault();
  const start = () =>
    openEngine({
      home,
      vault,
      clock: machineClock,
      random: systemRandom,
      log: faultLog,
      policy: { connection: { gateway: line.baseUrl }, provisioningFile: 'provision.json' },
    });
  const without = await start();
  await expect(without.desk.info()).rejects.toMatchObject({ code: 'no_connection' });
  await without.close();
  line.target = gateway.baseUrl;
  const desk = await start();
  expect((await desk.desk.info()).workspace).toMatchObject({ kind: 'connection', name: 'Office' });
  expect(readdirSync(home).filter((name) => name.includes('provision'))).toEqual([]);
  await desk.close();
  await line.stop();
});

test('desk: a dispatcher hands cases over from the list, and each desk shows whether it may', async () => {
  const { db } = gateway.context;
  const { Id: otherId } = await acceptedCase(service, await service.partner('insurer'));
  await gateway.context.pull.now();
  const anna = await gateway.laptop();
  const desk = await openEngine({
    home: join(folder, 'home'),
    vault: { ...createMemoryVault(), kind: 'keychain' },
    clock: machineClock,
    random: systemRandom,
    log: faultLog,
  });
  const { clientId } = await desk.workspaces.enrol({
    gateway: gateway.baseUrl,
    code: await newCode(),
    name: 'Office',
  });
  await desk.sync.run({ documents: 'none' });
  expect(await desk.own.office()).toEqual({ state: 'mayNot' });
  const person = { id: anna.clientId, name: 'Laptop' };
  const ids = [caseId, otherId];
  const refused = desk.own.handOver({ ids, person });
  await expect(refused).rejects.toMatchObject({
    code: 'hand_over_refused',
    params: { done: 0, total: 2 },
  });

  await setDispatcher(db, clientId, true);
  expect(await desk.own.office()).toMatchObject({ state: 'may', isHidden: false });
  expect(await desk.own.handOver({ ids, person })).toEqual({ assigned: 2, unknown: [] });
  expect((await desk.own.handlers()).names).toEqual(['Laptop']);
  const assigned = await db.selectFrom('assignments').selectAll().execute();
  expect(assigned.map((row) => row.case_id).sort()).toEqual(ids.toSorted());
  expect(new Set(assigned.map((row) => row.client_id))).toEqual(new Set([anna.clientId]));

  await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', otherId).execute();
  const { externalKey } = await desk.cases.get({ id: otherId });
  expect(await desk.own.handOver({ ids, person })).toEqual({ assigned: 1, unknown: [externalKey] });
  // Nobody has it, this device neither.
  expect(await desk.own.handOver({ ids: [caseId, randomUUID()], person })).toMatchObject({
    assigned: 1,
  });

  await gateway.stop(0);
  await expect(desk.own.handOver({ ids: [caseId], person })).rejects.toMatchObject({
    code: 'hand_over_stopped',
    params: { done: 0, total: 1 },
  });
  expect(await desk.own.office()).toEqual({ state: 'unknown' });
  await desk.close();
});

test('desk: what a laptop has of a case that was given to somebody else stays, and is named as not sent', async () => {
  const other = await startGateway(service, { visibility: 'assigned' });
  const [lead, anna] = [await other.laptop(true), await other.laptop()];
  const { code } = await createCode(other.context.db, machineClock, {
    name: 'Ill',
    isDispatcher: false,
  });
  const desk = await openEngine({
    home: join(folder, 'home'),
    vault: { ...createMemoryVault(), kind: 'keychain' },
    clock: machineClock,
    random: systemRandom,
    log: faultLog,
  });
  const way = { gateway: other.baseUrl, code, name: 'Office' };
  const { clientId } = await desk.workspaces.enrol(way);
  const giveTo = (id: string) =>
    lead.request('PUT', '/v1/gateway/assignments', { body: { ClientId: id, CaseIds: [caseId] } });
  await giveTo(clientId);
  await desk.sync.run({ documents: 'none' });
  await desk.sync.setPaused({ paused: true });
  const [sent, begun] = [
    await desk.reports.createDraft({ id: caseId }),
    await desk.reports.createDraft({ id: caseId }),
  ];
  const content = Readable.from([smallPdf('Seen.')]);
  await desk.files.addAttachment(sent.id, { fileName: 'report.pdf', content });
  await desk.reports.submitDraft({ draftId: sent.id });
  await desk.reports.updateDraft({ draftId: begun.id, comment: 'Begun' });

  await giveTo(anna.clientId);
  await desk.sync.setPaused({ paused: false });
  await desk.sync.run({ documents: 'none' });
  const [entry] = (await desk.queue.list({})).items;
  expect(entry).toMatchObject({ state: 'attention', problem: { code: 'server_case_gone' } });
  const drafts = (await desk.reports.drafts()).items.map(({ id, comment }) => [id, comment]);
  expect(Object.fromEntries(drafts)).toEqual({ [sent.id]: '', [begun.id]: 'Begun' });
  const reports = await anna.request('GET', `/v1/experts/cases/${caseId}/reports`);
  const { Items } = reports.json as { Items: { Status: string; Comment: string }[] };
  expect(Items.filter(({ Status }) => Status === 'Draft')).toEqual([]);
  await desk.close();
  await other.remove();
});
