import { shallowRef } from 'vue';
import { type ClockDifference, deskTime } from '#shared/desk/delivery/clock.ts';

/*
 * The difference to the time by which the window counts, which is the engine's time. With it, the
 * window and the engine agree about what is today or late, even if this device's clock is wrong.
 */

const difference = shallowRef<ClockDifference | null>(null);

/** Sets the difference between this device's clock and the insurer's time. */
export const setClockDifference = (now: ClockDifference | null): void =>
  void (difference.value = now);

/**
 * Returns the present moment in ms. It reacts to a change of the difference, but not to the passing
 * of time.
 */
export const presentMs = (deviceMs = Date.now()): number => deskTime(deviceMs, difference.value);
