import { type Component, defineAsyncComponent } from 'vue';

/**
 * The time after which a chunk that did not load is requested again. The desk may have been closed
 * or busy.
 */
export const askAgainMs = 2000;

/** A component in a separate chunk, which is requested until it has loaded. */
export function asyncComponent<T extends Component>(loader: () => Promise<{ default: T }>) {
  return defineAsyncComponent({
    loader,
    onError: (_error, retry) => void setTimeout(retry, askAgainMs),
  });
}
