/** A moment as the API writes it: UTC with milliseconds and a trailing Z (decisions, "Lists"). */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
