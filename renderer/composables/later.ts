import { type Component, defineAsyncComponent } from 'vue';

/** A component that is loaded when the browser has nothing else to do, at the latest after 500 ms. */
export function laterComponent<T extends Component>(load: () => Promise<{ default: T }>) {
  return defineAsyncComponent(
    () =>
      new Promise<{ default: T }>((resolve, reject) => {
        const begin = () => void load().then(resolve, reject);
        if ('requestIdleCallback' in window) window.requestIdleCallback(begin, { timeout: 500 });
        else setTimeout(begin, 500);
      }),
  );
}
