import { type Component, defineAsyncComponent } from 'vue';

/** What did not load, because the desk is gone or busy, is asked for again after this time. */
export const askAgainMs = 2000;

/** A component in a chunk of its own, which is asked for until it is here. */
export function asyncComponent<T extends Component>(loader: () => Promise<{ default: T }>) {
  return defineAsyncComponent({
    loader,
    onError: (_error, retry) => void setTimeout(retry, askAgainMs),
  });
}
