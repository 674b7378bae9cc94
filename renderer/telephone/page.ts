import { captionMax } from '#shared/photos/caption-max.ts';
import type { PhotoGroup } from '#shared/photos/details.ts';
import type { Begun } from '#shared/telephone/messages.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';
import { byCapture, type Code, isAt, Outbox, type Picture, type Place, placeOf } from './outbox.ts';
import { codeOfAddress, randomHex } from './code-of-address.ts';
import { make, type Props, say } from './elements.ts';
import { type LinkState, Sender } from './sender.ts';
import { summaryOf } from './summary.ts';
import { captureTime, nameFor, thumbOf } from './taken.ts';

type Texts = WindowTexts['telephone']['page'];
const texts = JSON.parse(document.querySelector('#texts')?.textContent ?? '{}') as Texts;

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
let state: LinkState | 'noCode' | 'noStorage' | 'elsewhere' = 'connecting';
let begun: Begun | null = null;
let place: Place = { session: '', report: null };
/** All that this telephone has, also of other reports. */
let pictures: Picture[] = [];
let group: PhotoGroup | null = null;
let isDone = false;
let opened: string | null = null;
/** The picture that is being sent, and how much of it. */
let sent: { readonly id: string; readonly percent: number } | null = null;
const thumbs = new Map<string, string>();

const isHere = (picture: Picture): boolean => isAt(place, picture);

function show(): void {
  const here = pictures.filter(isHere);
  const { stored, waiting, refused, isAll } = summaryOf(here);
  const isFinished = isDone && isAll && ['ready', 'unreachable', 'ended'].includes(state);
  const said = state === 'ready' ? say(texts.ready, { claim: begun?.claim ?? '' }) : texts[state];
  status.textContent = isFinished ? texts.isDone : said;
  status.classList.toggle('fault', !isFinished && !['ready', 'connecting'].includes(state));
  counts.textContent = [
    stored > 0 ? say(texts.stored, { n: stored }) : '',
    waiting > 0 ? say(texts.waiting, { n: waiting }) : '',
    refused > 0 ? say(texts.refused, { n: refused }) : '',
    isAll ? texts.all : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
  counts.classList.toggle('open', waiting + refused > 0);
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

/** A row of the list, and what it was made of. */
interface Row {
  readonly picture: Picture;
  readonly isOpened: boolean;
  readonly begun: Begun | null;
  readonly element: HTMLElement;
  readonly stateText: HTMLElement;
}
const rows = new Map<string, Row>();

/** Only rows that changed are made again, so that a finger finds what it aims at. */
function showList(here: readonly Picture[]): void {
  const focused = document.activeElement;
  // The caption that is being typed stays.
  if (focused instanceof HTMLInputElement && list.contains(focused)) return;
  const elements = here.toReversed().map((picture) => rowOf(picture).element);
  for (const child of list.querySelectorAll('li'))
    if (!elements.some((element) => element === child)) child.remove();
  for (const [at, element] of elements.entries())
    if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null);
  for (const picture of here) showState(picture);
}

function rowOf(picture: Picture): Row {
  const { id } = picture;
  const isOpened = opened === id;
  const known = rows.get(id);
  if (known?.picture === picture && known.isOpened === isOpened && known.begun === begun)
    return known;
  const made = { picture, isOpened, begun, ...makeRow(picture, isOpened) };
  rows.set(id, made);
  return made;
}

function showState(picture: Picture): void {
  const row = rows.get(picture.id);
  if (row) row.stateText.textContent = stateOf(picture);
}

function stateOf({ id, state: its }: Picture): string {
  if (its === 'stored') return texts.isStored;
  if (its === 'refused') return texts.isRefused;
  if (its === 'unreadable') return texts.isUnreadable;
  const isGoing = sent?.id === id && state === 'ready' && sent.percent > 0;
  return isGoing ? say(texts.isSending, { percent: sent?.percent ?? 0 }) : texts.isWaiting;
}

function makeRow(picture: Picture, isOpened: boolean): Pick<Row, 'element' | 'stateText'> {
  const { id, fileName } = picture;
  const groupName = begun?.groups.find((one) => one.id === picture.group)?.name ?? '';
  const thumb = make('img', { alt: '', src: thumbUrl(picture) });
  const about = [groupName, picture.caption, fileName].find((text) => text !== '') ?? fileName;
  const stateText = make('span', { className: `small ${picture.state}` });
  const head = make(
    'button',
    { type: 'button', className: 'picture' },
    thumb,
    make('span', {}, about),
    stateText,
  );
  head.setAttribute('aria-expanded', String(isOpened));
  head.addEventListener('click', () => {
    opened = isOpened ? null : id;
    show();
  });
  return { element: make('li', {}, head, ...(isOpened ? [editor(picture)] : [])), stateText };
}

function editor(picture: Picture): HTMLElement {
  const caption = make('input', { type: 'text', value: picture.caption, maxLength: captionMax });
  // A letter is stored here at once, because the telephone may close the page at any time. The desk
  // gets the caption once it is typed.
  caption.addEventListener('input', () => void mark(picture.id, { caption: caption.value }));
  caption.addEventListener('change', () => {
    show();
    sender?.wake();
  });
  const parts: Node[] = [
    ...groupButtons(texts.groupOf, picture.group, (chosen) => {
      void mark(picture.id, { group: chosen });
      sender?.wake();
    }),
    make('label', { className: 'small' }, texts.caption, caption),
  ];
  if (picture.state !== 'stored') {
    const save = make('button', { type: 'button', className: 'plain' }, texts.save);
    save.addEventListener('click', () => void saveHere(picture));
    parts.push(save);
  }
  if (['refused', 'unreadable'].includes(picture.state)) {
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

/**
 * Waits for the storage. What it does not take is still on this page, and after a reload the desk
 * says again what it has.
 */
const written = async (...writing: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(writing);
};

/** Changes pictures here and in the storage in the same tick, so that no older one comes after. */
async function keep(...changed: readonly Picture[]): Promise<void> {
  pictures = pictures.map((one) => changed.find(({ id }) => id === one.id) ?? one);
  show();
  await written(...changed.map((picture) => outbox.change(picture)));
}

async function mark(
  id: string,
  change: Partial<Pick<Picture, 'group' | 'caption'>>,
): Promise<void> {
  const before = pictures.find((picture) => picture.id === id);
  if (!before) return;
  await keep({ ...before, ...change, isMarked: false });
}

async function saveHere({ id, fileName }: Picture): Promise<void> {
  const url = URL.createObjectURL(new Blob([await outbox.bytes(id)]));
  make('a', { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function removePicture(id: string): Promise<void> {
  pictures = pictures.filter((picture) => picture.id !== id);
  rows.delete(id);
  show();
  await written(outbox.remove(id));
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

/** The report is known: what was taken before belongs to it, what another one has goes. */
async function setReport(code: Code, { report }: Begun): Promise<void> {
  const taken = pictures.filter((picture) => picture.report === null && isHere(picture));
  place = { ...place, report };
  await written(outbox.setCode({ ...code, report }));
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
  const code = await codeOfAddress(outbox);
  const known = await outbox.pictures();
  if (turn !== begins) return;
  const before = place.session;
  place = code ? placeOf(code) : { session: '', report: null };
  // What was said and chosen belongs to the session before.
  if (place.session !== before)
    [begun, group, isDone, sent, opened] = [null, null, false, null, null];
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
    onSent(picture, bytes) {
      sent = { id: picture.id, percent: Math.floor((bytes / picture.sizeBytes) * 100) };
      showState(picture);
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
addEventListener('online', () => sender?.wake());
document.addEventListener('visibilitychange', () => sender?.wake());
channel.addEventListener('message', stopHere);
show();

/** @param opening the storage, which every picture needs */
async function beginWith(opening: Promise<Outbox>): Promise<void> {
  try {
    outbox = await opening;
    await begin();
  } catch {
    state = 'noStorage';
    show();
  }
}
const opening = Outbox.open();
addEventListener('hashchange', () => void beginWith(opening));
void beginWith(opening);
