import { describe, expect, it, vi } from 'vitest';
import { createNetworkWatch, stateAfter } from '#main/electron/network-watch.ts';

describe('the state of the network process after a request', () => {
  it.each([
    // Nothing died: a server that drops each connection is no reason.
    ['sound', { startedBefore: false, error: 'FAILED' }, 'sound'],
    ['sound', { startedBefore: false, error: null }, 'sound'],
    // A request that was on its way when the process died.
    ['unproven', { startedBefore: true, error: 'FAILED' }, 'unproven'],
    ['unproven', { startedBefore: true, error: null }, 'unproven'],
    // What only a living process can report.
    ['unproven', { startedBefore: false, error: null }, 'sound'],
    ['unproven', { startedBefore: false, error: 'CONNECTION_RESET' }, 'sound'],
    ['unproven', { startedBefore: false, error: 'INTERNET_DISCONNECTED' }, 'sound'],
    ['unproven', { startedBefore: false, error: 'FAILED' }, 'lost'],
    ['lost', { startedBefore: false, error: null }, 'lost'],
  ] as const)('%s, then %o: %s', (state, end, expected) => {
    expect(stateAfter(state, end)).toBe(expected);
  });
});

describe('the watch over the network process', () => {
  it('reports once that requests reach it no longer', () => {
    const onLost = vi.fn();
    const watch = createNetworkWatch(onLost);
    watch.starts()('FAILED');
    const onItsWay = watch.starts();
    watch.died();
    onItsWay('FAILED');
    expect(onLost).not.toHaveBeenCalled();
    const [first, second] = [watch.starts(), watch.starts()];
    first('FAILED');
    second('FAILED');
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('judges by the latest death', () => {
    const onLost = vi.fn();
    const watch = createNetworkWatch(onLost);
    watch.died();
    const between = watch.starts();
    watch.died();
    between('FAILED');
    expect(onLost).not.toHaveBeenCalled();
    watch.starts()(null);
    watch.starts()('FAILED');
    expect(onLost).not.toHaveBeenCalled();
  });
});
