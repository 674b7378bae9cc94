import type { Place } from './plan-day.ts';

/**
 * Loads the places of the Swiss postal codes. A code that the table lacks has no place, and neither
 * has one of another country.
 */
export async function loadPostalPlaces(): Promise<ReadonlyMap<string, Place>> {
  const { default: table } = await import('./postal-places.txt?raw');
  const lines = table.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [code = '', lat, lon] = line.split(' ');
      return [code, { lat: Number(lat) / 1000, lon: Number(lon) / 1000 }] as const;
    }),
  );
}
