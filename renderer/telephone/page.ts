import { captionMax } from '#shared/photos/caption-max.ts';
import type { PhotoGroup } from '#shared/photos/details.ts';
import { keyBytes, sessionBytes } from '#shared/telephone/limits.ts';
import type { Begun } from '#shared/telephone/messages.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';
import {
  byCapture,
  type Code,
  isAt,
  Outbox,
  type Picture,
  type Place,
  placeOf,
  toHex,
} from './outbox.ts';
import { type LinkState, Sender } from './sender.ts';
import { captureTime, nameFor, thumbOf } from './taken.ts';

type Texts = WindowTexts['telephone']['page'];
type Props<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'children' | 'style'>
>;

const texts = JSON.parse(document.querySelector('#texts')?.textContent ?? '{}') as Texts;
const say = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(params[name] ?? ''));

/** Makes an element. Texts are only ever set as text. */
function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), props);
  element.append(...children);
  return element;
}

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

const randomHex = (length: number): string => toHex(crypto.getRandomValues(new Uint8Array(length)));

const status = make('p', { className: 'status' });
status.setAttribute('role', 'status');
const faults = make('div', { className: 'faults' });
faults.setAttribute('role', 'alert');
const groupBar = make('div', { className: 'groups' });
const counts = make('p', { className: 'counts' });
const earlier = make('div', { className: 'groups' });
const list = make('ul');
const doneButton = make('button', { type: 'button', className: 'plain' }, texts.done);
const picker = (props: Props<'input'>, className: string, text: string) => {
  const input = make('input', { type: 'file', accept: 'image/*', multiple: true, ...props });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    // The same picture can be chosen again.
    input.value = '';
    void take(files);
  });
  return make('label', { className }, input, text);
};

let outbox: Outbox;
let sender: Sender | null = null;
let state: LinkState | 'noCode' | 'elsewhere' = 'connecting';
let begun: Begun | null = null;
let place: Place = { session: '', report: null };
/** All that this telephone has, also of other reports. */
let pictures: Picture[] = [];
let group: PhotoGroup | null = null;
let isDone = false;
let opened: string | null = null;
let sentPercent = 0;
const thumbs = new Map<string, string>();

const isHere = (picture: Picture): boolean => isAt(place, picture);

function show(): void {
  const here = pictures.filter(isHere);
  const waiting = here.filter((picture) => picture.state === 'waiting').length;
  const stored = here.filter((picture) => picture.state === 'stored').length;
  const isFinished =
    isDone && stored > 0 && waiting === 0 && ['ready', 'unreachable', 'ended'].includes(state);
  const said = state === 'ready' ? say(texts.ready, { claim: begun?.claim ?? '' }) : texts[state];
  status.textContent = isFinished ? texts.isDone : said;
  status.classList.toggle('fault', !isFinished && !['ready', 'connecting'].includes(state));
  counts.textContent = [
    stored > 0 ? say(texts.stored, { n: stored }) : '',
    waiting > 0 ? say(texts.waiting, { n: waiting }) : '',
    stored > 0 && waiting === 0 ? texts.all : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
  counts.classList.toggle('open', waiting > 0);
  doneButton.disabled = here.length === 0 || isDone;
  groupBar.replaceChildren(...groupButtons(texts.group, group, (chosen) => (group = chosen)));
  earlier.replaceChildren(...(place.report === null ? [] : elsewhere()));
  showList(here);
}

const ofOthers = (): Picture[] =>
  pictures.filter((picture) => !isHere(picture) && picture.state !== 'stored');

/** Pictures of other reports wait until the user says that they belong here. */
function elsewhere(): Node[] {
  const n = ofOthers().length;
  if (n === 0) return [];
  const add = make('button', { type: 'button', className: 'plain' }, texts.addBefore);
  add.addEventListener('click', () => void addBefore());
  return [make('p', {}, say(texts.before, { n })), add];
}

async function addBefore(): Promise<void> {
  isDone = false;
  await keep(...ofOthers().map((picture): Picture => ({ ...picture, ...place, state: 'waiting' })));
  sender?.wake();
}

function groupButtons(
  title: string,
  chosen: PhotoGroup | null,
  choose: (group: PhotoGroup | null) => void,
): Node[] {
  const groups = begun?.groups ?? [];
  if (groups.length === 0) return [];
  const buttons = groups.map(({ id, name }) => {
    const button = make('button', { type: 'button', className: 'chip' }, name);
    button.setAttribute('aria-pressed', String(id === chosen));
    button.addEventListener('click', () => {
      choose(id === chosen ? null : (id as PhotoGroup));
      show();
    });
    return button;
  });
  return [
    make('span', { className: 'small' }, title),
    make('div', { className: 'chips' }, ...buttons),
  ];
}

/** The picture whose caption is being typed is not drawn again. */
function showList(here: readonly Picture[]): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLInputElement && list.contains(focused)) return;
  const sending = here.find((picture) => picture.state === 'waiting')?.id;
  const rows = here.toReversed().map((picture) => row(picture, picture.id === sending));
  list.replaceChildren(...rows);
}

function stateText(picture: Picture, isSending: boolean): string {
  if (picture.state === 'stored') return texts.isStored;
  if (picture.state === 'refused') return texts.isRefused;
  const isGoing = isSending && state === 'ready' && sentPercent > 0;
  return isGoing ? say(texts.isSending, { percent: sentPercent }) : texts.isWaiting;
}

function row(picture: Picture, isSending: boolean): HTMLElement {
  const { id, fileName } = picture;
  const groupName = begun?.groups.find((one) => one.id === picture.group)?.name ?? '';
  const thumb = make('img', { alt: '', src: thumbUrl(picture) });
  const about = [groupName, picture.caption, fileName].find((text) => text !== '') ?? fileName;
  const head = make(
    'button',
    { type: 'button', className: 'picture' },
    thumb,
    make('span', {}, about),
    make('span', { className: `small ${picture.state}` }, stateText(picture, isSending)),
  );
  head.setAttribute('aria-expanded', String(opened === id));
  head.addEventListener('click', () => {
    opened = opened === id ? null : id;
    show();
  });
  return make('li', {}, head, ...(opened === id ? [editor(picture)] : []));
}

function editor(picture: Picture): HTMLElement {
  const caption = make('input', { type: 'text', value: picture.caption, maxLength: captionMax });
  caption.addEventListener('change', () => void mark(picture.id, { caption: caption.value }));
  const parts: Node[] = [
    ...groupButtons(
      texts.groupOf,
      picture.group,
      (chosen) => void mark(picture.id, { group: chosen }),
    ),
    make('label', { className: 'small' }, texts.caption, caption),
  ];
  if (picture.state !== 'stored') {
    const save = make('button', { type: 'button', className: 'plain' }, texts.save);
    save.addEventListener('click', () => void saveHere(picture));
    parts.push(save);
  }
  if (picture.state === 'refused') {
    const remove = make('button', { type: 'button', className: 'plain' }, texts.remove);
    remove.addEventListener('click', () => void removePicture(picture.id));
    parts.push(remove);
  }
  return make('div', { className: 'editor' }, ...parts);
}

function thumbUrl({ id, thumb }: Picture): string {
  const known = thumbs.get(id);
  if (known !== undefined) return known;
  const url = thumb ? URL.createObjectURL(new Blob([thumb], { type: 'image/jpeg' })) : 'data:,';
  thumbs.set(id, url);
  return url;
}

/** Changes pictures here and in the storage in the same tick, so that no older one comes after. */
async function keep(...changed: readonly Picture[]): Promise<void> {
  pictures = pictures.map((one) => changed.find(({ id }) => id === one.id) ?? one);
  show();
  await Promise.all(changed.map((picture) => outbox.change(picture)));
}

async function mark(
  id: string,
  change: Partial<Pick<Picture, 'group' | 'caption'>>,
): Promise<void> {
  const before = pictures.find((picture) => picture.id === id);
  if (!before) return;
  await keep({ ...before, ...change, isMarked: false });
  sender?.wake();
}

async function saveHere({ id, fileName }: Picture): Promise<void> {
  const url = URL.createObjectURL(new Blob([await outbox.bytes(id)]));
  make('a', { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function removePicture(id: string): Promise<void> {
  await outbox.remove(id);
  pictures = pictures.filter((picture) => picture.id !== id);
  show();
}

/** Stores the pictures on this telephone first. What could not be stored is named. */
async function take(files: readonly File[]): Promise<void> {
  isDone = false;
  const { session, report } = place;
  const inOrder = [...files].sort((one, other) => one.lastModified - other.lastModified);
  for (const file of inOrder) {
    const takenAt = captureTime(file.lastModified);
    const fileName = nameFor(
      file,
      takenAt,
      pictures.map((picture) => picture.fileName),
    );
    try {
      const bytes = await file.arrayBuffer();
      const picture: Picture = {
        id: randomHex(16),
        session,
        report,
        fileName,
        sizeBytes: bytes.byteLength,
        takenAt,
        group,
        caption: '',
        state: 'waiting',
        isMarked: false,
        thumb: await thumbOf(file),
      };
      await outbox.add(picture, bytes);
      pictures = [...pictures, picture].sort(byCapture);
    } catch {
      faults.append(make('p', {}, say(texts.notKept, { name: fileName })));
    }
    show();
    sender?.wake();
  }
}

/** The code in the address. It is taken out of the address, so that no history has it. */
async function codeOfAddress(): Promise<Code | null> {
  const [key = '', session = ''] = location.hash.slice(1).split('.');
  history.replaceState(null, '', '/');
  const before = await outbox.code();
  if (!/^[\w-]{43}$/.test(key) || !/^[\w-]{22}$/.test(session)) return before;
  const scanned = {
    key: fromBase64(key).subarray(0, keyBytes),
    session: fromBase64(session).subarray(0, sessionBytes),
  };
  if (before !== null && toHex(before.session) === toHex(scanned.session)) return before;
  const code = { ...scanned, device: randomHex(32), report: null };
  await outbox.setCode(code);
  return code;
}

/** The report is known: what was taken before belongs to it, what another one has goes. */
async function setReport(code: Code, { report }: Begun): Promise<void> {
  const taken = pictures.filter((picture) => picture.report === null && isHere(picture));
  place = { ...place, report };
  await outbox.setCode({ ...code, report });
  await keep(...taken.map((picture) => ({ ...picture, report })));
  const finished = pictures.filter((one) => !isHere(one) && one.state === 'stored' && one.isMarked);
  for (const { id } of finished) await removePicture(id);
}

const channel = new BroadcastChannel('telephone');

let begins = 0;

/** Begins with the code of the address. A later code takes over. */
async function begin(): Promise<void> {
  begins += 1;
  const turn = begins;
  sender?.stop();
  sender = null;
  const code = await codeOfAddress();
  const known = await outbox.pictures();
  if (turn !== begins) return;
  place = code ? placeOf(code) : { session: '', report: null };
  pictures = known;
  channel.postMessage('here');
  if (!code) {
    state = 'noCode';
    show();
    return;
  }
  const started = new Sender(code, {
    outbox,
    pictures: () => pictures,
    isDone: () => isDone,
    keep,
    onSent(sent, total) {
      sentPercent = Math.floor((sent / total) * 100);
      show();
    },
    async onBegun(now) {
      if (sender !== started) return;
      begun = now;
      await setReport(code, now);
    },
    onState(now) {
      if (sender !== started || now === state) return;
      state = now;
      show();
    },
  });
  sender = started;
  await started.run();
}

function stopHere(): void {
  sender?.stop();
  sender = null;
  state = 'elsewhere';
  show();
}

doneButton.addEventListener('click', () => {
  isDone = true;
  show();
  sender?.wake();
});
document.body.append(
  make(
    'main',
    {},
    status,
    faults,
    groupBar,
    picker({ capture: 'environment' }, 'shutter', texts.shutter),
    picker({}, 'plain', texts.pick),
    counts,
    doneButton,
    earlier,
    list,
  ),
);
addEventListener('hashchange', () => void begin());
addEventListener('online', () => sender?.wake());
document.addEventListener('visibilitychange', () => sender?.wake());
channel.addEventListener('message', stopHere);
show();

async function start(): Promise<void> {
  outbox = await Outbox.open();
  await begin();
}
void start();
