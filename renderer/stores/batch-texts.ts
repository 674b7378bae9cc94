import { computed, shallowReactive } from 'vue';
import type { Batch } from '#shared/desk/batch.ts';
import { throttleByKey } from '../composables/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

const saveEveryMs = 300;
/** Stands for every report in the place of a path. */
export const forAll = '';

/** Comments as they are typed, by path, `forAll` for all: until the engine has them. */
export function useBatchTexts(
  take: (answer: { batch: Batch | null }) => void,
  attempt: (act: () => Promise<unknown>) => Promise<unknown>,
) {
  const { client } = useTransport();
  const typing = shallowReactive(new Map<string, string>());
  const texts = computed(() => [...typing.values()]);
  useUnsavedStore().add({ isAny: computed(() => typing.size > 0), texts });

  /** @param path of a file; `forAll` for the comment on every other report */
  function type(path: string, text: string): void {
    typing.set(path, text);
    saveSoon(path);
  }
  const saveSoon = throttleByKey(saveEveryMs, (path) => void attempt(() => save(path)));
  async function save(path: string): Promise<void> {
    const comment = typing.get(path);
    if (comment === undefined) return;
    const answer =
      path === forAll
        ? await client.batch.setComment({ comment })
        : await client.batch.change({ paths: [path], comment });
    take(answer);
    // What was typed since is saved by its own call.
    if (typing.get(path) === comment) typing.delete(path);
  }

  /** What was typed last is there before the batch is queued, or files are taken out of it. */
  async function saveAll(): Promise<void> {
    for (const path of typing.keys()) await save(path);
  }

  /** Forgets texts about files that are not in the batch any more. */
  function forgetOthers(batch: Batch | null): void {
    const known = new Set(batch && [forAll, ...batch.rows.map(({ path }) => path)]);
    for (const path of typing.keys()) if (!known.has(path)) typing.delete(path);
  }

  const live = useLiveStore();
  live.on((event) => {
    // They are about another workspace's batch.
    if (event.type === 'workspace.changed') typing.clear();
  });
  live.onResumed(() => void attempt(saveAll));

  return { typing, type, saveAll, forgetOthers };
}
