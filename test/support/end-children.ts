import { afterAll } from 'vitest';
import { endChildren } from './children.ts';

// The first `afterAll` runs last, when the tests have ended what they end themselves.
afterAll(endChildren);
