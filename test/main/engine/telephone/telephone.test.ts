import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import { openPrivateNetwork } from '../../../support/private-network.ts';
import { makeCameraPhoto } from '../../../support/sample-files.ts';
import { TelephoneClient } from '../../../support/telephone-client.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
/** Null on a machine without a private address. */
const network = openPrivateNetwork();
afterAll(() => network?.close());

let dir: string;
let desk: Engine;
let draftId: string;
const vault = testKeychain();
const device = 'ab'.repeat(32);

const open = (policy: DeskPolicy = {}) =>
  openTestEngine({
    home: join(dir, 'home'),
    vault,
    policy,
    practice: starter,
    telephonePage: dir,
  });
const idOf = (n: number) => n.toString(16).padStart(32, '0');
const photo = (minute: number) =>
  makeCameraPhoto({
    width: 40,
    height: 30,
    orientation: 1,
    takenAt: `2026:05:01 10:${String(minute).padStart(2, '0')}:00`,
    seed: minute,
  });
const about = (minute: number) => ({
  id: idOf(minute),
  fileName: `IMG_${minute}.jpg`,
  takenAt: `2026-05-01T10:${String(minute).padStart(2, '0')}:00`,
});
async function begin(engine = desk): Promise<string> {
  const { session } = await engine.telephone.begin({ draftId, address: network?.address ?? null });
  if (!session) throw new Error('no session began');
  return session.code;
}
const files = async (engine = desk) => (await engine.reports.getDraft({ draftId })).attachments;
const names = async (engine = desk) => (await files(engine)).map(({ fileName }) => fileName);

beforeEach(async () => {
  dir = testFolder();
  writeFileSync(join(dir, 'telephone.js'), 'void 0;');
  writeFileSync(join(dir, 'telephone.css'), 'main {}');
  desk = await open();
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  draftId = (await desk.reports.createDraft({ id: items[0]?.id ?? '' })).id;
});

describe.skipIf(network === null)('the telephone as camera', () => {
  it('puts pictures into the draft in the order of their capture, with what was said of them', async () => {
    const phone = new TelephoneClient(await begin());
    const { caseId } = await desk.reports.getDraft({ draftId });
    const { externalKey } = await desk.cases.get({ id: caseId });
    const begun = await phone.begin();
    expect(begun).toMatchObject({ claim: externalKey });
    expect(Object.keys(begun)).toEqual(['claim', 'report', 'groups']);
    for (const minute of [5, 3, 9])
      expect(await phone.picture(about(minute), photo(minute))).toEqual({ type: 'stored' });
    const { report } = phone;
    await phone.send({ type: 'mark', id: idOf(3), report, group: 'damage', caption: 'Beule' });
    expect(await names()).toEqual(['IMG_3.jpg', 'IMG_5.jpg', 'IMG_9.jpg']);
    expect((await files())[0]?.details).toMatchObject({
      telephoneId: idOf(3),
      takenAt: '2026-05-01T10:03:00',
      group: 'damage',
      caption: 'Beule',
    });
    expect((await desk.telephone.state()).session).toMatchObject({ stored: 3, isConnected: true });
  });

  it('stores a picture once, also if it comes again after a restart of the engine', async () => {
    const phone = new TelephoneClient(await begin(), device);
    await phone.begin();
    await phone.picture(about(1), photo(1));
    await desk.close();
    desk = await open();
    const again = new TelephoneClient(await begin(), device);
    expect(again.origin).toBe(phone.origin);
    await again.begin();
    expect(await again.picture(about(1), photo(1))).toEqual({ type: 'stored' });
    expect(await again.picture(about(2), photo(2))).toEqual({ type: 'stored' });
    expect(await names()).toEqual(['IMG_1.jpg', 'IMG_2.jpg']);
  });

  it('names a report alike in each session, stores no picture of another, and the same one in both', async () => {
    const first = new TelephoneClient(await begin(), device);
    await first.begin();
    await first.picture(about(1), photo(1));
    const again = new TelephoneClient(await begin(), device);
    await again.begin();
    expect(again.report).toBe(first.report);
    const { caseId } = await desk.reports.getDraft({ draftId });
    expect(first.report).not.toContain(draftId.slice(0, 8));
    draftId = (await desk.reports.createDraft({ id: caseId })).id;
    const other = new TelephoneClient(await begin(), device);
    await other.begin();
    expect(await other.picture({ ...about(1), report: first.report }, photo(1))).toBe(400);
    expect(await names()).toEqual([]);
    expect(await other.picture(about(1), photo(1))).toEqual({ type: 'stored' });
    expect(await names()).toEqual(['IMG_1.jpg']);
  });

  it('names what is no picture, and keeps what comes after the report was discarded', async () => {
    const phone = new TelephoneClient(await begin());
    await phone.begin();
    const text = Buffer.from('no picture at all');
    const unusable = { type: 'refused', fault: 'unusable' };
    expect(await phone.picture(about(1), text)).toEqual(unusable);
    expect(await phone.picture({ ...about(2), fileName: 'x.pdf' }, text)).toEqual(unusable);
    await phone.picture(about(4), photo(4));
    await desk.reports.discardDraft({ draftId });
    const closed = { type: 'later', fault: 'report_closed' };
    expect(await phone.picture(about(3), photo(3))).toEqual(closed);
    const { report } = phone;
    const mark = { type: 'mark', id: idOf(4), report, group: 'damage', caption: 'Beule' };
    expect(await phone.send(mark)).toEqual(closed);
  });

  it('listens only during a session', async () => {
    const { origin, hostname, port } = new URL(await begin());
    expect(hostname).toBe(network?.address);
    expect((await fetch(origin)).status).toBe(200);
    await desk.telephone.end();
    expect(await isOpen(hostname, Number(port))).toBe(false);
    expect((await desk.telephone.state()).session).toBeNull();
  });

  it('offers private networks only, and none that the policy does not name', async () => {
    const { networks } = await desk.telephone.state();
    expect(networks.map(({ address }) => address)).toContain(network?.address);
    expect(networks.some(({ address }) => /^(?:127|169\.254|192\.0\.2)\./.test(address))).toBe(
      false,
    );
    await expect(desk.telephone.begin({ draftId, address: '127.0.0.1' })).rejects.toMatchObject({
      code: 'telephone_unavailable',
    });
    await desk.close();
    desk = await open({ telephone: { networks: ['192.168.255.0/30'] } });
    expect(await desk.telephone.state()).toMatchObject({ networks: [], obstacle: 'network' });
    await expect(begin()).rejects.toMatchObject({ code: 'telephone_unavailable' });
    await desk.close();
    desk = await open({ telephone: { enabled: false } });
    expect(await desk.telephone.state()).toMatchObject({ networks: [], obstacle: 'policy' });
    await expect(begin()).rejects.toMatchObject({ code: 'telephone_unavailable' });
  });

  it('serves one page with a strict policy of its content, and nothing of the case', async () => {
    const code = await begin();
    const { origin, hash } = new URL(code);
    const response = await fetch(origin);
    const html = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
    expect(policy).not.toMatch(/unsafe|\*/);
    const { caseId } = await desk.reports.getDraft({ draftId });
    const detail = await desk.cases.get({ id: caseId });
    for (const secret of [detail.externalKey, detail.partyName, ...hash.slice(1).split('.')])
      expect(html).not.toContain(secret);
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const path of ['/telephone.js', '/index.html', '/hello'])
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
  });
});

describe.skipIf(network === null)('an attacker in the same network', () => {
  it('gets nothing without the code, and the telephone goes on', async () => {
    const code = await begin();
    const phone = new TelephoneClient(code);
    await phone.begin();
    const wrong = new TelephoneClient(code.replace(/#.{8}/, '#AAAAAAAA'));
    expect(await wrong.begin()).toBe(401);
    expect(await new TelephoneClient(code).begin()).toBe(409);
    expect(await phone.picture(about(1), photo(1))).toEqual({ type: 'stored' });
    expect((await desk.telephone.state()).session?.refused).toBe(2);
    expect(await names()).toEqual(['IMG_1.jpg']);
  });

  it('gets nothing with a code that was used', async () => {
    const old = await begin();
    await new TelephoneClient(old).begin();
    await desk.telephone.end();
    await begin();
    expect(await new TelephoneClient(old).begin()).toBe(410);
    expect(await files()).toEqual([]);
  });

  it('gets nothing by sending again, reordering or cutting what it recorded', async () => {
    const phone = new TelephoneClient(await begin());
    await phone.begin();
    const bytes = photo(1);
    const head = {
      type: 'announce',
      report: phone.report,
      sizeBytes: bytes.length,
      group: null,
      caption: '',
      waiting: 1,
    };
    const first = phone.request({ ...head, ...about(1) });
    const second = phone.request({ type: 'chunk', id: idOf(1), number: 0 }, bytes);
    expect((await phone.post('/send', second.subarray(0, 100))).status).toBe(401);
    expect((await phone.post('/send', second)).status).toBe(200);
    expect((await phone.post('/send', first)).status).toBe(401);
    expect((await phone.post('/send', second)).status).toBe(401);
    expect(await files()).toEqual([]);
    expect(await phone.picture(about(1), bytes)).toEqual({ type: 'stored' });
  });

  it('is refused from another page, another name and beyond the bounds', async () => {
    const phone = new TelephoneClient(await begin());
    await phone.begin();
    const request = phone.request({ type: 'look', waiting: 0, isDone: false });
    const status = async (headers: Record<string, string>) =>
      (await phone.post('/send', request, headers)).status;
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    expect(await status({ 'content-type': 'text/plain' })).toBe(415);
    expect(await rawStatus(phone.origin, 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toBe(421);
    const head = (length: number) =>
      `POST /send HTTP/1.1\r\nHost: ${new URL(phone.origin).host}\r\nOrigin: ${phone.origin}\r\n` +
      `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`;
    expect(await rawStatus(phone.origin, head(telephoneLimits.requestBytes + 1))).toBe(413);
    const long = `GET / HTTP/1.1\r\nX: ${'x'.repeat(telephoneLimits.headerBytes)}\r\n\r\n`;
    expect(await rawStatus(phone.origin, long)).not.toBe(200);
    expect(await status({})).toBe(200);
  });

  it('that floods is slowed down, and the telephone gets through', async () => {
    const phone = new TelephoneClient(await begin());
    await phone.begin();
    const flood = await Promise.all(
      Array.from({ length: telephoneLimits.requestsPerSecond * 4 }, () =>
        fetch(phone.origin).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    expect(flood.filter((status) => status === 429 || status === 0).length).toBeGreaterThan(0);
    const again = async (): Promise<unknown> => {
      const answer = await phone.picture(about(1), photo(1)).catch(() => 0);
      return typeof answer === 'object' ? answer : await again();
    };
    expect(await again()).toEqual({ type: 'stored' });
    expect(await names()).toEqual(['IMG_1.jpg']);
  });
});

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** The status that a request gets which no client would send; 0 if the connection just ends. */
const rawStatus = (origin: string, request: string): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let text = '';
    socket.on('data', (piece) => (text += piece.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
  });
