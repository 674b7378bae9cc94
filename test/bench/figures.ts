/** One line of `npm run bench`. */
export interface Figure {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** With a ratio: its least value. Without one: the figure's greatest. */
  readonly limit: number;
  /** The figure over that of the bare counterpart, if there is one. */
  readonly ratio?: number;
}

/** Prints a figure as one JSON object on a line of stdout. */
export function printFigure({ figure, ratio, ...rest }: Figure): void {
  const { what, unit, limit } = rest;
  const line = {
    what,
    figure: rounded(figure),
    unit,
    limit,
    ratio: ratio === undefined ? null : rounded(ratio),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The value that `share` (0 to 1) of all values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The middle one of a few runs, so that one disturbed run decides nothing. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
