/** A part of a mail: its header's values, and its lines. */
export interface Part {
  readonly type: string;
  readonly boundary: string | null;
  /** A line that ends with a blank goes on in the next one (RFC 3676). */
  readonly isFlowed: boolean;
  readonly encoding: string;
  /** What the header says of the length of the body; null if nothing. */
  readonly statedBytes: number | null;
  /** Whether the header ends with its blank line. */
  readonly hasBody: boolean;
  readonly body: readonly string[];
}

/** The header ends with the first empty line; a line that begins with a blank continues the one before. */
export function partOf(lines: readonly string[]): Part {
  const end = lines.indexOf('');
  const header = end < 0 ? lines : lines.slice(0, end);
  const fields: string[] = [];
  for (const line of header) {
    if (/^[ \t]/.test(line) && fields.length > 0)
      fields.push(`${fields.pop() ?? ''} ${line.trim()}`);
    else fields.push(line);
  }
  const valueOf = (name: string) => {
    const field = fields.find((one) => one.toLowerCase().startsWith(`${name}:`));
    return field?.slice(name.length + 1).trim() ?? '';
  };
  const contentType = valueOf('content-type');
  const length = valueOf('content-length');
  return {
    type: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    boundary: boundaryOf(contentType),
    isFlowed: /;\s*format\s*=\s*"?flowed\b/i.test(contentType),
    statedBytes: /^\d{1,9}$/.test(length) ? Number(length) : null,
    // A line end at the end of the file begins no further line.
    hasBody: end >= 0 && end < lines.length - 1,
    encoding: valueOf('content-transfer-encoding').toLowerCase(),
    body: end < 0 ? [] : lines.slice(end + 1),
  };
}

/** Some programs write a long one in numbered pieces (RFC 2231, 3). */
function boundaryOf(contentType: string): string | null {
  const values = contentType.matchAll(/;\s*boundary(?:\*\d+)?\s*=\s*(?:"([^"]*)"|([^\s;"]+))/gi);
  const pieces = Array.from(values, ([, quoted, bare]) => quoted ?? bare ?? '');
  return pieces.length > 0 ? pieces.join('') : null;
}

/** @returns the lines of each part; null if the closing delimiter is missing */
export function partsOf(body: readonly string[], boundary: string): string[][] | null {
  const parts: string[][] = [];
  for (const line of body) {
    const mark = line.trimEnd();
    if (mark === `--${boundary}--`) return parts;
    if (mark === `--${boundary}`) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return null;
}
