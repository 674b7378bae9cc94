import type { CaseStatus } from '#shared/api/case.ts';
import type { SubmissionStatus } from '#shared/api/submission.ts';
import { caseTransitions } from '#shared/api/states.ts';
import { submissionTransitions } from '#shared/api/states.ts';

/*
 * The state machines as pictures, drawn from the very tables that the service goes by. A picture
 * is SVG within the page: shapes with presentation attributes only, because the page's content
 * security policy allows no style of its own, and in the page's own colour, which is another in
 * the dark. For who cannot see it there are title, description, and the text beside it.
 */

interface Transition<State extends string> {
  readonly from: State;
  readonly trigger: string;
  readonly to: State;
}

/** Column and row of each state. */
type Places<State extends string> = Readonly<Record<State, readonly [number, number]>>;

interface Drawing<State extends string> {
  readonly id: string;
  readonly title: string;
  readonly transitions: readonly Transition<State>[];
  readonly places: Places<State>;
}

/** The picture of the states of a case. */
export function drawCaseStates(): string {
  return draw<CaseStatus>({
    id: 'case-states',
    title: 'States of a case',
    transitions: caseTransitions,
    places: {
      Created: [1, 0],
      Assigned: [1, 1],
      Rejected: [2, 1],
      Accepted: [1, 2],
      InProgress: [1, 3],
      ExpertCompleted: [1, 4],
      AdminReturned: [2, 4],
      AdminApproved: [1, 5],
      Final: [1, 6],
      AdminCancelled: [2, 6],
    },
  });
}

/** The picture of the states of a report submission. */
export function drawSubmissionStates(): string {
  return draw<SubmissionStatus>({
    id: 'submission-states',
    title: 'States of a report submission',
    transitions: submissionTransitions,
    places: {
      Cancelled: [0, 0],
      Draft: [1, 0],
      Submitted: [1, 1],
      Returned: [2, 1],
      Approved: [1, 2],
    },
  });
}

const box = { width: 180, height: 48 };
const cell = { width: 300, height: 104 };
const margin = { x: 24, y: 16 };
/** How far the two arrows of a pair that goes both ways are from the middle. */
const apart = 13;
/** Where more states than this lead to one by one trigger, it says so itself, without arrows. */
const mostArrows = 3;

interface Point {
  readonly x: number;
  readonly y: number;
}

function draw<State extends string>({ id, title, transitions, places }: Drawing<State>): string {
  const moves = transitions.filter(({ from, to }) => from !== to);
  const gathered = gatheredTriggers(moves);
  const drawn = moves.filter(({ trigger }) => !gathered.has(trigger));
  // The casts restate what the keys of the places are.
  const states = Object.keys(places) as State[];
  const columns = states.map((state) => places[state][0]);
  const firstColumn = Math.min(...columns) - (hasLane(drawn, places) ? 0.5 : 0);
  const centre = (state: State): Point => ({
    x: margin.x + box.width / 2 + (places[state][0] - firstColumn) * cell.width,
    y: margin.y + box.height / 2 + places[state][1] * cell.height,
  });
  const width = Math.max(...states.map((state) => centre(state).x)) + box.width / 2 + margin.x;
  const height = Math.max(...states.map((state) => centre(state).y)) + cell.height / 2 + margin.y;

  const arrows = drawn.map((move) => {
    const isPair = moves.some(({ from, to }) => from === move.to && to === move.from);
    return arrow(route(move, { centre, places, isPair }), move.trigger);
  });
  const boxes = states.map((state) => {
    const stays = transitions.filter(({ from, to }) => from === state && to === state);
    const into = [...gathered].filter(([, target]) => target === state);
    return [
      boxOf(
        state,
        stays.map(({ trigger }) => trigger),
        centre(state),
      ),
      ...into.map(([trigger]) => gatheredNote(trigger, moves, states, centre(state))),
    ].join('');
  });
  const description = moves.map(({ from, trigger, to }) => `${from}: ${trigger} leads to ${to}.`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}"`,
    ` width="${width}" height="${height}" aria-labelledby="${id}-title ${id}-desc"`,
    ' fill="none" stroke="currentColor" stroke-width="1.5" font-family="sans-serif">',
    `<title id="${id}-title">${title}</title>`,
    `<desc id="${id}-desc">${description.join(' ')}</desc>`,
    ...arrows,
    ...boxes,
    '</svg>',
  ].join('');
}

/** Triggers that lead from many states to one, each with that one. */
function gatheredTriggers<State extends string>(
  moves: readonly Transition<State>[],
): ReadonlyMap<string, State> {
  const byTrigger = Map.groupBy(moves, ({ trigger }) => trigger);
  return new Map(
    [...byTrigger].flatMap(([trigger, all]) => {
      const [first] = all;
      const isOne = all.every(({ to }) => to === first?.to);
      return first && isOne && all.length > mostArrows ? [[trigger, first.to] as const] : [];
    }),
  );
}

function gatheredNote<State extends string>(
  trigger: string,
  moves: readonly Transition<State>[],
  states: readonly State[],
  at: Point,
): string {
  const to = moves.find((move) => move.trigger === trigger)?.to;
  const from = new Set(moves.filter((move) => move.trigger === trigger).map((move) => move.from));
  const others = states.filter((state) => !from.has(state) && state !== to);
  const note = `${trigger}: from all${others.length > 0 ? ` but ${others.join(', ')}` : ''}`;
  return text(note, { x: at.x, y: at.y - box.height / 2 - 10 }, 13);
}

function boxOf(name: string, stays: readonly string[], { x, y }: Point): string {
  const corner = `x="${x - box.width / 2}" y="${y - box.height / 2}"`;
  return [
    `<rect ${corner} width="${box.width}" height="${box.height}" rx="8"></rect>`,
    text(name, { x, y: stays.length > 0 ? y - 3 : y + 5 }, 15),
    ...(stays.length > 0 ? [text(`stays: ${stays.join(', ')}`, { x, y: y + 15 }, 12)] : []),
  ].join('');
}

interface Around<State extends string> {
  readonly centre: (state: State) => Point;
  readonly places: Places<State>;
  /** Another arrow leads the other way. */
  readonly isPair: boolean;
}

/** The corners of an arrow, from border to border. */
function route<State extends string>(
  { from, to }: Transition<State>,
  { centre, places, isPair }: Around<State>,
): Point[] {
  const [a, b] = [centre(from), centre(to)];
  const shift = isPair ? apart : 0;
  if (a.y === b.y) {
    const right = Math.sign(b.x - a.x);
    const y = a.y - right * shift;
    return [
      { x: a.x + (right * box.width) / 2, y },
      { x: b.x - (right * box.width) / 2, y },
    ];
  }
  const down = Math.sign(b.y - a.y);
  if (a.x === b.x && Math.abs(b.y - a.y) <= cell.height) {
    const x = a.x + down * shift;
    return [
      { x, y: a.y + (down * box.height) / 2 },
      { x, y: b.y - (down * box.height) / 2 },
    ];
  }
  if (a.x === b.x) {
    // Past the states in between, on their left.
    const border = a.x - box.width / 2;
    return [
      { x: border, y: a.y },
      { x: border - laneWidth, y: a.y },
      { x: border - laneWidth, y: b.y },
      { x: border, y: b.y },
    ];
  }
  const right = Math.sign(b.x - a.x);
  const isFree = !Object.keys(places).some((state) => {
    // The cast restates what the keys of the places are.
    const { x, y } = centre(state as State);
    return x === a.x && y === b.y;
  });
  return isFree
    ? [
        { x: a.x, y: a.y + (down * box.height) / 2 },
        { x: a.x, y: b.y },
        { x: b.x - (right * box.width) / 2, y: b.y },
      ]
    : [
        { x: a.x + (right * box.width) / 2, y: a.y },
        { x: b.x, y: a.y },
        { x: b.x, y: b.y - (down * box.height) / 2 },
      ];
}

const laneWidth = 60;

/** Whether an arrow has to go past others, for which there must be room. */
function hasLane<State extends string>(
  transitions: readonly Transition<State>[],
  places: Places<State>,
): boolean {
  return transitions.some(({ from, to }) => {
    const [[column, row], [toColumn, toRow]] = [places[from], places[to]];
    return column === toColumn && Math.abs(toRow - row) > 1;
  });
}

/** A line with a head at its end, and its trigger beside its longest stretch. */
function arrow(points: readonly Point[], trigger: string): string {
  const [before, end] = [points.at(-2), points.at(-1)];
  if (!before || !end) return '';
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ');
  const along = { x: Math.sign(end.x - before.x), y: Math.sign(end.y - before.y) };
  const head = [
    end,
    { x: end.x - 9 * along.x - 5 * along.y, y: end.y - 9 * along.y - 5 * along.x },
    { x: end.x - 9 * along.x + 5 * along.y, y: end.y - 9 * along.y + 5 * along.x },
  ];
  return [
    `<polyline points="${line}"></polyline>`,
    `<polygon fill="currentColor" points="${head.map(({ x, y }) => `${x},${y}`).join(' ')}">`,
    '</polygon>',
    label(points, trigger),
  ].join('');
}

interface Stretch {
  readonly from: Point;
  readonly to: Point;
}

function lengthOf({ from, to }: Stretch): number {
  return Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
}

function label(points: readonly Point[], trigger: string): string {
  const stretches = points
    .slice(1)
    .map((to, index): Stretch => ({ from: points[index] ?? to, to }));
  const { from, to } = stretches.reduce((longest, stretch) =>
    lengthOf(stretch) > lengthOf(longest) ? stretch : longest,
  );
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  if (from.y === to.y) {
    return text(trigger, { x: middle.x, y: middle.y + (to.x > from.x ? -6 : 16) });
  }
  const isDown = to.y > from.y;
  const at = { x: middle.x + (isDown ? 8 : -8), y: middle.y + 4 };
  return text(trigger, at, 13, isDown ? 'start' : 'end');
}

function text(words: string, { x, y }: Point, size = 13, anchor = 'middle'): string {
  return [
    `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"`,
    ` fill="currentColor" stroke="none">${words}</text>`,
  ].join('');
}
