import type { PhotoGroup } from './details.ts';

const vehicle: readonly PhotoGroup[] = [
  'front',
  'rear',
  'left',
  'right',
  'damage',
  'interior',
  'mileage',
  'chassis',
  'plate',
];

/** What the photos of a case of a category usually show. */
export function usualGroups(category: string | null): readonly PhotoGroup[] {
  return category === 'vehicle' ? vehicle : ['overview', 'damage', 'surroundings'];
}
