import { computed, shallowReactive } from 'vue';
import type { Batch } from '#shared/desk/reports/batch.ts';
import { throttleByKey } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

const saveEveryMs = 300;
/** This key replaces a path if the comment is for every report. */
export const forAll = '';

/** Stores comments as they are typed, by path or under `forAll`, until the engine has them. */
export function useBatchTexts(
  take: (answer: { batch: Batch | null }) => void,
  attempt: (act: () => Promise<unknown>) => Promise<unknown>,
) {
  const { client } = useTransport();
  const typing = shallowReactive(new Map<string, string>());
  const texts = computed(() => [...typing.values()]);
  useUnsavedStore().add({ isAny: computed(() => typing.size > 0), texts });

  /** @param path the path of a file, or `forAll` for the comment on every other report */
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
    // Text that was typed since then is saved by a separate call.
    if (typing.get(path) === comment) typing.delete(path);
  }

  /** Saves all texts. It is called before the batch is queued or files are removed from it. */
  async function saveAll(): Promise<void> {
    for (const path of typing.keys()) await save(path);
  }

  /** Forgets the texts about files that are no longer in the batch. */
  function forgetOthers(batch: Batch | null): void {
    const known = new Set(batch && [forAll, ...batch.rows.map(({ path }) => path)]);
    for (const path of typing.keys()) if (!known.has(path)) typing.delete(path);
  }

  const live = useLiveStore();
  live.on((event) => {
    // The texts belong to the batch of another workspace.
    if (event.type === 'workspace.changed') typing.clear();
  });
  live.onResumed(() => void attempt(saveAll));

  return { typing, type, saveAll, forgetOthers };
}
