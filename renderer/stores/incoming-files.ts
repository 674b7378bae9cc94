import { shallowReactive } from 'vue';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import type { IncomingFile } from '../lib/files.ts';
import { type createPhotoIntake, inOrderOfCapture } from '../lib/photos/photo-intake.ts';
import { toProblem } from '../lib/problem.ts';
import { whileWorkedOn } from '../lib/report-check.ts';

const showEveryMs = 250;

/** The files that are being added to drafts. A refused file stays in the list with its reason. */
export function useIncomingFiles({
  intake,
  inTurn,
  append,
}: {
  readonly intake: ReturnType<typeof createPhotoIntake>;
  /** Writes to a draft one after the other. */
  readonly inTurn: <T>(draftId: string, task: () => Promise<T>) => Promise<T>;
  readonly append: (draftId: string, added: readonly Attachment[]) => void;
}) {
  const incoming = shallowReactive(new Map<string, readonly IncomingFile[]>());
  let nextKey = 0;

  const change = (
    draftId: string,
    changed: (entries: readonly IncomingFile[]) => readonly IncomingFile[],
  ): void => void incoming.set(draftId, changed(incoming.get(draftId) ?? []));

  /** Shows the added files a few times per second, and not once for each of 500 files. */
  function createBatchedView(draftId: string) {
    let taken = new Map<number, readonly Attachment[]>();
    let shownAt = performance.now();
    function show(): void {
      if (taken.size === 0) return;
      const keys = taken;
      change(draftId, (list) => list.filter(({ key }) => !keys.has(key)));
      append(draftId, [...keys.values()].flat());
      taken = new Map();
      shownAt = performance.now();
    }
    function add(key: number, attachments: readonly Attachment[]): void {
      taken.set(key, attachments);
      if (performance.now() - shownAt > showEveryMs) show();
    }
    return { add, show };
  }

  /** Adds files one after the other. Photos are added in the order of their capture. */
  async function add(draftId: string, given: readonly File[]): Promise<void> {
    const entries = (await inOrderOfCapture(given)).map((file) => ({
      file,
      entry: { key: nextKey++, fileName: file.name, sizeBytes: file.size, problem: null },
    }));
    change(draftId, (list) => [...list, ...entries.map(({ entry }) => entry)]);
    const view = createBatchedView(draftId);
    const take = async ({ file, entry }: (typeof entries)[number]): Promise<void> => {
      try {
        view.add(entry.key, await inTurn(draftId, () => intake.add(draftId, file)));
      } catch (error) {
        const problem = toProblem(error);
        change(draftId, (list) =>
          list.map((old) => (old.key === entry.key ? { ...old, problem } : old)),
        );
      }
    };
    await whileWorkedOn(draftId, async () => {
      for (const [index, one] of entries.entries()) {
        // The next photo is made ready while this one is stored.
        for (const { file } of entries.slice(index, index + 2)) intake.prepare(file);
        await take(one);
      }
    });
    view.show();
  }

  /** @param key the key of one refused file; if it is absent, all refused files */
  const dismiss = (draftId: string, key?: number): void =>
    change(draftId, (list) =>
      list.filter((entry) => (key === undefined ? entry.problem === null : entry.key !== key)),
    );

  /** Whether some files are not in the draft yet. */
  const isAny = (draftId: string): boolean =>
    (incoming.get(draftId) ?? []).some(({ problem }) => problem === null);

  return { incoming, add, dismiss, isAny };
}
