import { amountMaxRappen } from '#shared/api/limits.ts';
import { Readable } from 'node:stream';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Engine, EngineOptions, PracticeStarter } from '#main/engine/engine.ts';
import { DocumentIndexer } from '#main/engine/document-text/document-indexer.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { Sync } from '#main/engine/sync/sync.ts';
import { Telephone } from '#main/engine/telephone/telephone.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../support/fault-log.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { openTestEngine, sharePractice, testKeychain, testFolder } from './support/test-engine.ts';
import { cutPdf, protectedPdf, smallPdf } from '../../support/pdf-files.ts';
import { makeDetailedJpeg } from '../../support/sample-files.ts';

const failure = (code: string, params?: object): unknown =>
  expect.objectContaining(
    params ? { code, params: expect.objectContaining(params) as unknown } : { code },
  );

async function* contentOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

let dir: string;
let vault: Vault;
const { practice, starter: shared, connection } = sharePractice();

/** What the shell does with a file that is handed over; null for a desk without a window. */
let handOver: EngineOptions['handOver'] | null;

const open = (
  starter?: PracticeStarter,
  policy: DeskPolicy = {},
  languages?: EngineOptions['languages'],
): Promise<Engine> =>
  openTestEngine({
    home: join(dir, 'home'),
    vault,
    policy,
    ...(starter && { practice: starter }),
    ...(handOver && { handOver }),
    ...(languages && { languages }),
  });

beforeEach(() => {
  dir = testFolder();
  vault = testKeychain();
  handOver = null;
});

describe('a home', () => {
  it('opens at the first start with the practice workspace and its 60 cases', async () => {
    const desk = await open(shared);
    expect((await desk.desk.info()).workspace).toMatchObject({ kind: 'practice', kept: true });
    expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ pulled: 60, throttled: 0 });
    expect((await desk.cases.list({})).total).toBe(60);
  });

  it('speaks the language that IT has set', async () => {
    const desk = await open(shared, { language: 'it' });
    await desk.desk.setLanguage({ language: 'fr' });
    expect(await desk.desk.language()).toBe('it');
    await desk.close();
    expect(await (await open(shared)).desk.language()).toBe('fr');
  });

  it('speaks what the start asks for until the user chooses, and does not store it', async () => {
    const desk = await open(shared, {}, { argument: 'en', system: ['it-CH'] });
    expect(await desk.desk.language()).toBe('en');
    await desk.desk.setLanguage({ language: 'fr' });
    expect(await desk.desk.language()).toBe('fr');
    await desk.close();
    const opened = await open(shared, {}, { argument: 'en', system: ['it-CH'] });
    expect(await opened.desk.language()).toBe('en');
    await opened.close();
    expect(await (await open(shared)).desk.language()).toBe('fr');
  });

  it('takes a language also if no workspace is open', async () => {
    const desk = await open();
    expect(await desk.desk.setLanguage({ language: 'fr' })).toBe('fr');
    await desk.close();
    const later = await open(shared);
    expect(await later.desk.language()).toBe('fr');
    expect(await later.desk.setLanguage({ language: 'it' })).toBe('it');
  });

  it('stores how the window looks, part by part, for the next start', async () => {
    const desk = await open();
    expect(await desk.desk.appearance()).toEqual({});
    await desk.desk.setAppearance({ theme: 'dark', columns: ['lastChangedAt'] });
    expect(await desk.desk.setAppearance({ theme: 'contrast' })).toEqual({
      theme: 'contrast',
      columns: ['lastChangedAt'],
    });
    await desk.close();
    const next = await open();
    expect(await next.desk.appearance()).toEqual({ theme: 'contrast', columns: ['lastChangedAt'] });
  });

  it('stores nothing of a practice workspace if there is no keychain', async () => {
    vault = createSessionVault();
    const desk = await open(shared);
    expect((await desk.desk.info()).workspace.kept).toBe(false);
    await expect(desk.workspaces.connect(connection())).rejects.toEqual(
      failure('keychain_unavailable'),
    );
    await desk.close();
    expect(readdirSync(join(dir, 'home', 'workspaces'))).toEqual([]);
    expect(existsSync(join(dir, 'home', 'settings.json'))).toBe(false);
  });

  it.each([
    ['sync', Sync.prototype, 'close'],
    ['reader of documents', DocumentIndexer.prototype, 'close'],
    ['telephone', Telephone.prototype, 'end'],
  ])(
    'ends its service, its stores and its home although the end of its %s fails',
    async (...of) => {
      const [, part, name] = of;
      const end = Reflect.get(part, name) as () => Promise<void>;
      onTestFinished(() => void Reflect.set(part, name, end));
      const failure = new Error('a part that cannot end');
      Reflect.set(part, name, async function failing(this: unknown) {
        await end.call(this);
        throw failure;
      });
      const stop = vi.fn(() => Promise.resolve());
      const desk = await openEngine({
        home: join(dir, 'home'),
        vault: createSessionVault(),
        clock: systemClock,
        random: systemRandom,
        log: faultLog,
        practice: async () => ({ ...(await shared()), stop }),
      });
      await expect(desk.close()).rejects.toBe(failure);
      expect(stop).toHaveBeenCalledOnce();
      expect(readdirSync(join(dir, 'home', 'workspaces'))).toEqual([]);
      Reflect.set(part, name, end);
      const next = await open(shared);
      expect((await next.desk.info()).workspace.kind).toBe('practice');
    },
  );
});

describe('a damaged cache', () => {
  it.each([0, 0.2, 0.4, 0.6, 0.8])('is built anew, damaged from %d of it on', async (from) => {
    const before = await open(shared);
    await before.sync.run({ documents: 'none' });
    const caseId = (await before.cases.list({ status: 'InProgress' })).items[0]?.id ?? '';
    await before.cases.setComment({ id: caseId, text: 'precious' });
    await before.close();
    const file = join(dir, 'home', 'workspaces', 'practice', 'cache.db');
    const bytes = readFileSync(file);
    bytes.fill(7, Math.floor(bytes.length * from), Math.floor(bytes.length * (from + 0.2)));
    writeFileSync(file, bytes);

    const desk = await open(shared);
    const events = desk.events();
    const readEverything = async () => {
      await desk.sync.run({ documents: 'none' });
      const { items } = await desk.cases.list({});
      return await Promise.all(items.map(({ id }) => desk.cases.get({ id })));
    };
    const cases = await readEverything().catch(async () => {
      // Found only now; the workspace is opened again over an empty cache.
      for await (const { type } of events) if (type === 'workspace.changed') break;
      return await readEverything();
    });
    expect(cases).toHaveLength(60);
    expect((await desk.queue.list({ caseId })).items[0]?.act).toEqual({
      kind: 'comment',
      text: 'precious',
    });
  });
});

describe('a connection', () => {
  it('is tested without leaving a trace', async () => {
    const desk = await open();
    expect(await desk.workspaces.test(connection())).toMatchObject({
      caseCount: 60,
      problem: null,
      isStored: false,
      asked: { status: 200 },
    });
    expect(await desk.workspaces.failed()).toBeNull();
    expect(readdirSync(join(dir, 'home', 'workspaces'))).toEqual([]);
  });

  it('that the partner refuses in a test is stored with what was asked, for doctor', async () => {
    const desk = await open();
    const refused = await desk.workspaces.test({ ...connection(), clientId: 'nobody' });
    const asked = { address: expect.stringContaining('/oauth/token') as string, status: 401 };
    expect(refused).toMatchObject({ caseCount: null, isStored: true, asked });
    expect(await desk.workspaces.failed()).toMatchObject({ clientId: 'nobody', asked });
    const check = await desk.tools.checkConnection({ failed: true });
    expect(check).toMatchObject({ connection: { isUsable: false }, asked });
    await expect(desk.desk.info()).rejects.toEqual(failure('no_connection'));
    await desk.workspaces.connect(connection());
    expect(await desk.workspaces.failed()).toBeNull();
  });

  it('that cannot be reached in a test is not stored', async () => {
    const desk = await open();
    const { isStored, problem } = await desk.workspaces.test({
      ...connection(),
      baseUrl: 'http://127.0.0.1:9',
    });
    expect([isStored, problem?.code]).toEqual([false, 'connection_refused']);
    expect(await desk.workspaces.failed()).toBeNull();
  });

  it('made again has its workspace and its work, and takes the new key', async () => {
    const desk = await open();
    const first = await desk.workspaces.connect(connection());
    await desk.sync.run({ documents: 'none' });
    const id = (await desk.cases.list({ status: 'InProgress' })).items[0]?.id ?? '';
    await desk.reports.createDraft({ id });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const second = await desk.workspaces.connect({
      ...connection(),
      baseUrl: `${practice().baseUrl}/`,
      privateKey: pem,
    });
    expect(second.id).toBe(first.id);
    expect((await desk.reports.drafts()).total).toBe(1);
    expect((await desk.desk.info()).workspaces).toHaveLength(1);
    // The access token of the old key is still valid, so only a new one shows it.
    const refused = await desk.workspaces.test({ ...connection(), privateKey: pem });
    expect(refused).toMatchObject({ problem: { code: 'key_rejected' }, isStored: true });
  });

  it.each([
    ['a key that is none', { privateKey: 'hello' }, 'key_unreadable'],
    ['an address that is none', { baseUrl: 'nowhere' }, 'base_url_invalid'],
  ])('with %s stores nothing', async (_, change, code) => {
    const desk = await open();
    await expect(desk.workspaces.connect({ ...connection(), ...change })).rejects.toEqual(
      failure(code),
    );
    await expect(desk.desk.info()).rejects.toEqual(failure('no_connection'));
  });

  it('stays alone if practice was turned off since', async () => {
    const first = await open(shared);
    await first.workspaces.connect(connection());
    expect(await first.desk.info()).toMatchObject({ practice: true });
    expect((await first.desk.info()).workspaces).toHaveLength(2);
    await first.close();
    const later = await open();
    expect(await later.desk.info()).toMatchObject({ practice: false });
    expect((await later.desk.info()).workspaces.map(({ kind }) => kind)).toEqual(['connection']);
  });

  it('that is stored has its keys if the workspace before it could not be closed', async () => {
    const stops = [new Error('stuck')];
    const desk = await open(() =>
      Promise.resolve({
        ...practice(),
        stop() {
          const failure = stops.pop();
          return failure ? Promise.reject(failure) : Promise.resolve();
        },
      }),
    );
    await expect(desk.workspaces.connect(connection())).rejects.toThrow('internal');
    const workspaces = join(dir, 'home', 'workspaces');
    const id = readdirSync(workspaces).find((name) => name !== 'practice') ?? '';
    // SQLite's log is there as long as somebody has the file open.
    expect(existsSync(join(workspaces, id, 'work.db-wal'))).toBe(false);
    expect((await desk.workspaces.use({ id })).workspace).toMatchObject({ id, kind: 'connection' });
    expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ pulled: 60 });
  });

  it('takes what IT has set instead of what the user enters', async () => {
    const { baseUrl, audience, clientId } = connection();
    const desk = await open(undefined, { connection: { baseUrl, audience, clientId } });
    const entered = { baseUrl: 'https://other.example', audience: 'x', clientId: 'y' };
    expect(await desk.workspaces.test({ ...connection(), ...entered })).toMatchObject({
      caseCount: 60,
    });
    expect(await desk.workspaces.connect({ ...connection(), ...entered })).toMatchObject({
      baseUrl,
      clientId,
    });
  });

  it('that is stored is reached at the address that IT sets now, under its own client id', async () => {
    const first = await open();
    await first.workspaces.connect(connection());
    await first.close();
    const moved = { baseUrl: 'http://127.0.0.1:1', clientId: 'another' };
    const desk = await open(undefined, { connection: moved });
    expect((await desk.desk.info()).workspace.clientId).toBe(connection().clientId);
    await expect(desk.sync.run({ documents: 'none' })).rejects.toEqual(
      failure('connection_refused', { host: '127.0.0.1:1' }),
    );
  });

  it('next to the practice workspace lets the user switch between them', async () => {
    const desk = await open(shared);
    const { id } = await desk.workspaces.connect(connection());
    expect((await desk.workspaces.use({ id: 'practice' })).workspace.kind).toBe('practice');
    expect((await desk.workspaces.use({ id })).workspaces.map(({ kind }) => kind).sort()).toEqual([
      'connection',
      'practice',
    ]);
    await desk.close();
    expect((await (await open(shared)).desk.info()).workspace.id).toBe(id);
  });
});

describe('the user’s acts', () => {
  let desk: Engine;
  let caseId: string;
  beforeEach(async () => {
    desk = await open(shared);
    await desk.sync.run({ documents: 'none' });
    caseId = (await desk.cases.list({ status: 'InProgress' })).items[0]?.id ?? '';
  });

  it('show at once, over the server’s values', async () => {
    const item = await desk.cases.setAmounts({
      id: caseId,
      costEstimateRappen: 123_450,
      approvedRappen: 100_000,
    });
    const { partyName } = await desk.cases.get({ id: caseId });
    expect(partyName).not.toBe('');
    expect(item).toMatchObject({ state: 'waiting', attempts: 0, kind: 'amounts', partyName });
    await desk.cases.setAmounts({ id: caseId, approvedRappen: null });
    expect(await desk.cases.get({ id: caseId })).toMatchObject({
      costEstimateRappen: 123_450,
      approvedRappen: null,
      savingsRappen: null,
      pendingCount: 1,
    });
    expect((await desk.cases.get({ id: caseId })).server.costEstimateRappen).not.toBe(123_450);
    const listed = (
      await desk.cases.list({ q: (await desk.cases.get({ id: caseId })).externalKey })
    ).items[0];
    expect(listed).toMatchObject({ costEstimateRappen: 123_450, pendingCount: 1 });
  });

  it('X3, X4: amounts and comments that the partner would refuse are refused', async () => {
    for (const [costEstimateRappen, code] of [
      [Number.NaN, 'invalid_input'],
      [-1, 'invalid_input'],
      [100.5, 'invalid_input'],
      [amountMaxRappen + 1, 'invalid_input'],
    ] as const) {
      await expect(desk.cases.setAmounts({ id: caseId, costEstimateRappen })).rejects.toEqual(
        failure(code, { field: 'costEstimateRappen' }),
      );
    }
    await expect(desk.cases.setComment({ id: caseId, text: 'x'.repeat(4001) })).rejects.toEqual(
      failure('comment_too_long'),
    );
    expect((await desk.cases.get({ id: caseId })).pendingCount).toBe(0);
    expect((await desk.cases.setComment({ id: caseId, text: '' })).state).toBe('waiting');
  });

  it('X5: only a closed case is reopened, with a reason; then it takes work again', async () => {
    await expect(desk.cases.reopen({ id: caseId, reason: 'x' })).rejects.toEqual(
      failure('case_state', { status: 'InProgress' }),
    );
    const closed = (await desk.cases.list({ status: 'Final' })).items[0]?.id ?? '';
    await expect(desk.cases.setComment({ id: closed, text: 'x' })).rejects.toEqual(
      failure('case_state'),
    );
    await expect(desk.cases.reopen({ id: closed, reason: '  ' })).rejects.toEqual(
      failure('reason_missing'),
    );
    await expect(desk.cases.reopen({ id: closed, reason: 'x'.repeat(4001) })).rejects.toEqual(
      failure('reason_too_long', { field: 'reason', max: 4000, length: 4001 }),
    );
    await desk.cases.reopen({ id: closed, reason: 'neue Teile' });
    expect((await desk.cases.get({ id: closed })).status).toBe('InProgress');
    expect((await desk.cases.setComment({ id: closed, text: 'x' })).waitingFor).toBe('turn');
  });

  it('a refused file leaves the draft as it was', async () => {
    const draft = await desk.reports.createDraft({ id: caseId });
    for (const [fileName, content, code] of [
      ['leer.pdf', '', 'file_empty'],
      ['falsch.pdf', 'no pdf', 'file_type_mismatch'],
      ['boese.exe', 'MZ', 'file_type_not_allowed'],
      ['a/b.pdf', '%PDF-', 'file_name_invalid'],
      ['kopf.pdf', '%PDF-1.7', 'pdf_damaged'],
      ['halb.pdf', cutPdf().toString(), 'pdf_damaged'],
    ] as const) {
      await expect(
        desk.files.addAttachment(draft.id, { fileName, content: contentOf(content) }),
      ).rejects.toEqual(failure(code, { fileName }));
    }
    expect((await desk.reports.getDraft({ draftId: draft.id })).attachments).toEqual([]);
    await expect(desk.reports.submitDraft({ draftId: draft.id })).rejects.toEqual(
      failure('draft_without_documents'),
    );
  });

  it('a comment that is too long is stored as it is typed, and never queued', async () => {
    const { id: draftId } = await desk.reports.createDraft({ id: caseId });
    const content = contentOf(smallPdf('Bericht').toString());
    await desk.files.addAttachment(draftId, { fileName: 'a.pdf', content });
    const comment = 'x'.repeat(4001);
    await expect(desk.reports.updateDraft({ draftId, comment })).rejects.toEqual(
      failure('comment_too_long'),
    );
    const by = { window: randomUUID(), agoMs: 0 };
    await desk.reports.updateDraft({ draftId, comment, by });
    await expect(desk.reports.submitDraft({ draftId })).rejects.toEqual(
      failure('comment_too_long'),
    );
    expect((await desk.reports.getDraft({ draftId })).comment).toBe(comment);
  });

  it('names a PDF with a password in its draft, and in no other file', async () => {
    const pdf = await protectedPdf('geheim');
    const content = () => Readable.from([pdf]) as AsyncIterable<Buffer>;
    const { id: draftId } = await desk.reports.createDraft({ id: caseId });
    const add = (fileName: string, bytes: AsyncIterable<Uint8Array>) =>
      desk.files.addAttachment(draftId, { fileName, content: bytes });
    const added = await add('geschuetzt.pdf', content());
    const open = await add('offen.pdf', contentOf(smallPdf('Bericht').toString()));
    expect([added, open].map(({ details }) => details.isProtected)).toEqual([true, false]);
    const replaced = await desk.files.replaceAttachment(draftId, open.id, {
      fileName: 'offen.pdf',
      content: content(),
    });
    expect(replaced.details.isProtected).toBe(true);
    const file = await desk.files.openAttachment(draftId, added.id);
    expect((await buffer(file.stream)).equals(pdf)).toBe(true);
    await desk.reports.discardDraft({ draftId });
  });

  it('name a JPEG that looks damaged until it is replaced, whatever the window makes of it', async () => {
    const whole = makeDetailedJpeg(160, 120);
    const half = whole.subarray(0, whole.length / 2);
    const damaged = Buffer.concat([half, Buffer.from([0xff, 0xd9])]);
    const file = (bytes: Uint8Array) => ({ fileName: 'a.jpg', content: Readable.from([bytes]) });
    const { id: draftId } = await desk.reports.createDraft({ id: caseId });
    const add = (bytes: Uint8Array, isSeen: boolean) =>
      desk.files.addAttachment(draftId, { ...file(bytes), isSeen });
    const [made, unchanged] = [await add(damaged, false), await add(damaged, true)];
    const sound = [await add(whole, false), await add(whole, true)];
    expect(
      [made, unchanged, ...sound].map(({ details }) => [details.looksDamaged, details.isBare]),
    ).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, true],
    ]);
    const what = { editVersion: 0, takenAt: null, page: 0 };
    const prepared = await desk.files.setRendition(draftId, made.id, file(whole), what);
    expect(prepared.details.looksDamaged).toBe(true);
    const replaced = await desk.files.replaceAttachment(draftId, made.id, file(whole));
    expect(replaced.details.looksDamaged).toBe(false);
    await desk.reports.discardDraft({ draftId });
  });

  it('a photo retains its original, and is not queued before what is sent shows its last change', async () => {
    const { id: draftId } = await desk.reports.createDraft({ id: caseId });
    const photo = (text: string) => `\xff\xd8\xff${text}`;
    const bytesOf = async (kind: 'openAttachment' | 'openOriginal', id: string) =>
      (await buffer((await desk.files[kind](draftId, id)).stream)).toString('latin1');
    const latin1 = (text: string) => Readable.from([Buffer.from(text, 'latin1')]);
    const { id } = await desk.files.addAttachment(draftId, {
      fileName: 'IMG_1.jpg',
      content: latin1(photo('as taken')),
    });
    await desk.files.addAttachment(draftId, { fileName: 'b.txt', content: contentOf('b') });
    const made = { fileName: 'IMG_1.jpg', content: latin1(photo('smaller')) };
    const takenAt = '2026-05-01T10:00:00';
    const what = { editVersion: 0, takenAt, page: 0 };
    await desk.files.setRendition(draftId, id, made, what);
    const edit = { turns: 1, crop: null, brightness: 0, marks: [] };
    const details = { edit, caption: 'Delle' };
    await desk.reports.updateAttachment({ draftId, attachmentId: id, details });
    await expect(desk.reports.submitDraft({ draftId })).rejects.toEqual(failure('draft_busy'));
    const late = { fileName: 'IMG_1.jpg', content: latin1(photo('of before')) };
    await desk.files.setRendition(draftId, id, late, what);
    expect(await bytesOf('openAttachment', id)).toBe(photo('smaller'));
    // A further page of the original stands behind the first, once: a window that died sends it again.
    for (let time = 0; time < 2; time += 1) {
      const page = { fileName: 'IMG_1.jpg', content: latin1(photo('page 2')) };
      await desk.files.setRendition(draftId, id, page, { ...what, editVersion: 1, page: 1 });
    }
    await desk.reports.removeAttachment({ draftId, attachmentId: id });
    await desk.reports.restoreAttachment({ draftId, attachmentId: id });

    await desk.close();
    desk = await open(shared);
    const turned = { fileName: 'IMG_1.jpg', content: latin1(photo('turned')) };
    await desk.files.setRendition(draftId, id, turned, { ...what, editVersion: 1 });
    expect(await bytesOf('openOriginal', id)).toBe(photo('as taken'));
    expect(await bytesOf('openAttachment', id)).toBe(photo('turned'));
    const { attachments } = await desk.reports.getDraft({ draftId });
    expect(attachments).toMatchObject([
      { id, details: { edit, takenAt, caption: 'Delle', original: { page: 0 } } },
      { fileName: 'IMG_1.jpg', details: { original: { page: 1 } } },
      { fileName: 'b.txt', details: { original: null } },
    ]);
    await desk.reports.submitDraft({ draftId });
  });

  it('survive the desk, and are delivered with proof', async () => {
    const draft = await desk.reports.createDraft({ id: caseId });
    const attachment = await desk.files.addAttachment(draft.id, {
      fileName: 'Notiz.txt',
      content: contentOf('Grüezi'),
      isSalvageSale: true,
    });
    await desk.reports.updateDraft({ draftId: draft.id, comment: 'fertig' });
    await desk.cases.setAmounts({ id: caseId, costEstimateRappen: 1000 });
    const { id } = await desk.reports.submitDraft({ draftId: draft.id });
    await desk.close();
    desk = await open(shared);
    expect(
      (await buffer((await desk.files.openAttachment(draft.id, attachment.id)).stream)).toString(),
    ).toBe('Grüezi');
    expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ delivered: 2, waiting: 0 });
    expect(await desk.queue.get({ id })).toMatchObject({
      state: 'delivered',
      delivered: { status: 200 },
      steps: [
        { kind: 'draft' },
        { kind: 'document', isSalvageSale: true, delivered: { sha256: attachment.sha256 } },
        { kind: 'submit' },
      ],
    });
    expect(await desk.cases.get({ id: caseId })).toMatchObject({
      status: 'ExpertCompleted',
      pendingCount: 0,
      server: { costEstimateRappen: 1000 },
    });
    expect((await desk.reports.list({ id: caseId })).items[0]).toMatchObject({
      status: 'Submitted',
      comment: 'fertig',
    });
    expect((await desk.reports.drafts()).total).toBe(0);
  });

  it('are sent to every window, `alive` first', async () => {
    const gone = new AbortController();
    const seen: DeskEvent['type'][] = [];
    const events = desk.events(gone.signal);
    await desk.cases.setComment({ id: caseId, text: 'hallo' });
    for await (const event of events) {
      seen.push(event.type);
      if (event.type === 'sync.changed') gone.abort();
    }
    expect(seen).toEqual(['alive', 'queue.changed', 'cases.changed', 'sync.changed']);
  });
});

describe('documents', () => {
  /** A desk with a case, by its id, and a PDF of it that is not fetched yet. */
  async function withPdf() {
    const desk = await open(shared);
    await desk.sync.run({ documents: 'none' });
    const id = (await desk.cases.list({})).items[0]?.id ?? '';
    const { items } = await desk.documents.list({ id, refresh: true });
    const document = items.find(({ contentType }) => contentType === 'application/pdf');
    if (!document) throw new Error('the case has no PDF');
    return { desk, id, document, items };
  }

  it('are fetched once, encrypted, and read by range', async () => {
    const { desk, id, document, items } = await withPdf();
    expect(document.onLaptop).toBe(false);
    const file = await desk.files.openDocument(id, document.id, { start: 0, end: 4 });
    expect((await buffer(file.stream)).toString()).toBe('%PDF-');
    expect(file.sizeBytes).toBe(document.sizeBytes);
    expect(await desk.cases.get({ id })).toMatchObject({
      documentCount: items.length,
      documentsOnLaptop: 1,
    });
    const workspace = join(dir, 'home', 'workspaces', 'practice', 'cache-files');
    const [blob = ''] = readdirSync(workspace);
    expect(readFileSync(join(workspace, blob)).includes('%PDF')).toBe(false);
  });

  it('that turn out damaged are fetched again when they are opened next', async () => {
    const { desk, id, document } = await withPdf();
    await desk.documents.fetch({ caseId: id, documentId: document.id });
    const files = join(dir, 'home', 'workspaces', 'practice', 'cache-files');
    for (const name of readdirSync(files)) {
      const bytes = readFileSync(join(files, name));
      bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
      writeFileSync(join(files, name), bytes);
    }
    const damaged = await desk.files.openDocument(id, document.id);
    await expect(buffer(damaged.stream)).rejects.toThrow('blob changed');
    const again = await desk.files.openDocument(id, document.id);
    expect((await buffer(again.stream)).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(readdirSync(files)).toHaveLength(1);
  });

  it('are given to another program as copies, which go with the desk', async () => {
    const taken: string[] = [];
    handOver = (path, to) => {
      taken.push(path);
      return Promise.resolve(to === 'program');
    };
    const { desk, id, document } = await withPdf();
    await desk.documents.handOver({ caseId: id, documentId: document.id, to: 'program' });
    const [copy = ''] = taken;
    expect(readFileSync(copy, 'latin1').slice(0, 5)).toBe('%PDF-');
    expect(statSync(copy).size).toBe(document.sizeBytes);
    await expect(
      desk.documents.handOver({ caseId: id, documentId: document.id, to: 'drop' }),
    ).rejects.toEqual(failure('no_program', { fileName: document.fileName }));
    // Nobody has the second, so it has no reason to lie there.
    expect(taken.map((path) => existsSync(path))).toEqual([true, false]);
    const dragged = desk.documents.handOver({ caseId: id, documentId: document.id, to: 'drop' });
    await desk.documents.letGo({ caseId: id, documentId: document.id });
    await expect(dragged).rejects.toEqual(failure('drag_let_go', { fileName: document.fileName }));
    expect(readdirSync(join(dir, 'home', 'opened'))).toHaveLength(1);
    expect(taken).toHaveLength(2);
    // Before anything is waited for: a desk that takes too long to close is cut.
    const closing = desk.close();
    expect(existsSync(copy)).toBe(false);
    await closing;

    // What a killed desk left is removed at the next start.
    const left = join(dir, 'home', 'opened', 'a');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'left.pdf'), '%PDF-');
    handOver = null;
    const next = await open(shared);
    expect(existsSync(left)).toBe(false);
    await expect(
      next.documents.handOver({ caseId: id, documentId: document.id, to: 'program' }),
    ).rejects.toEqual(failure('no_program'));
  });

  it('of every due case are here after a sync', async () => {
    const desk = await open(shared);
    const { documents } = await desk.sync.run({ documents: 'due' });
    expect(documents).toBeGreaterThan(0);
    const due = (await desk.cases.list({ status: 'InProgress' })).items;
    for (const item of due) expect(item.documentsOnLaptop).toBe(item.documentCount);
  });
});

describe('a file for one use', () => {
  const file = () => join(dir, 'home', 'provision.json');
  const lay = (value: object) => {
    mkdirSync(join(dir, 'home'), { recursive: true });
    writeFileSync(file(), JSON.stringify(value));
  };
  const policy = () => {
    const { baseUrl, audience } = connection();
    return { connection: { baseUrl, audience }, provisioningFile: 'provision.json' };
  };

  it('connects at the start, is deleted, and the next start needs none', async () => {
    const { clientId, privateKey } = connection();
    lay({ clientId, privateKey, name: 'Alpina' });
    const desk = await open(undefined, policy());
    expect((await desk.desk.info()).workspace).toMatchObject({
      kind: 'connection',
      name: 'Alpina',
    });
    expect(readdirSync(join(dir, 'home')).filter((name) => name.includes('provision'))).toEqual([]);
    expect((await desk.sync.run({ documents: 'none' })).pulled).toBe(60);
    await desk.close();
    expect((await (await open(undefined, policy())).desk.info()).workspace.name).toBe('Alpina');
  });

  it('that was renamed when the desk was killed is taken by the next start', async () => {
    const { clientId, privateKey } = connection();
    lay({ clientId, privateKey });
    renameSync(file(), `${file()}.taking`);
    expect((await (await open(undefined, policy())).desk.info()).workspace.clientId).toBe(clientId);
    expect(existsSync(`${file()}.taking`)).toBe(false);
  });

  it('that is wrong stays, and nothing of it is reported', async () => {
    lay({ clientId: 'expert', privateKey: 7 });
    const params = {
      fileName: file(),
      place: 'provisioningFile · privateKey',
      detail: 'invalid_type',
    };
    await expect(open(undefined, policy())).rejects.toEqual(failure('policy_invalid', params));
    writeFileSync(file(), '{ "privateKey": "secret words');
    const error: unknown = await open(undefined, policy()).catch((reason: unknown) => reason);
    expect(error).toEqual(failure('policy_invalid', { detail: 'json' }));
    expect(inspect(error, { depth: 5 })).not.toContain('secret');
    expect(existsSync(file())).toBe(true);
  });

  it('stays if there is no keychain', async () => {
    vault = createSessionVault();
    lay({ clientId: 'expert', privateKey: 'k' });
    expect((await (await open(shared, policy())).desk.info()).workspace.kind).toBe('practice');
    expect(existsSync(file())).toBe(true);
  });
});
