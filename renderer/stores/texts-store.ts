import { defineStore } from 'pinia';
import type { Category } from '#shared/api/case-words.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import {
  addedByFile,
  type ChecklistEntry,
  type checklistOf,
  fillBlock,
  readTextsFile,
  type TextBlock,
  writeTextsFile,
} from '#shared/desk/reports/text-blocks.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { presentMs } from '../lib/present.ts';
import { formatDay } from '#shared/i18n/format.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData, useLiveMap } from './live-data.ts';
import { useUndoStore } from './undo-store.ts';

/** The user's text blocks and checklists, the same in every window. */
export const useTextsStore = defineStore('texts', () => {
  const { client } = useTransport();
  const undos = useUndoStore();
  const {
    data: texts,
    load,
    problem,
  } = useLiveData(() => client.texts.list(), {
    changedBy: ({ type }) => type === 'texts.changed',
  });

  async function saveBlock(block: TextBlock): Promise<void> {
    texts.value = await client.texts.save({ blocks: [block] });
  }

  const removeBlock = (block: TextBlock): Promise<void> =>
    undos.acting(async () => {
      texts.value = await client.texts.removeBlock({ id: block.id });
      undos.offer({
        key: 'undo.textBlock',
        params: { name: block.name },
        undo: () => saveBlock(block),
      });
    });

  /** Stores a checklist. A null restores the list that the desk came with. */
  async function saveChecklist(category: Category, list: ChecklistEntry[] | null): Promise<void> {
    texts.value = await client.texts.save({ checklists: { [category]: list } });
  }

  /** The ids of ticked entries by the id of the case; absent until the engine has answered. */
  const {
    data: ticks,
    load: loadTicks,
    show: showTicks,
    change: changeTicks,
    problems: tickProblems,
  } = useLiveMap(
    async (id): Promise<ReadonlySet<string>> => new Set((await client.texts.ticks({ id })).ids),
    { changedBy: ({ type }) => (type === 'texts.changed' ? null : []) },
  );
  async function tick(caseId: string, entry: string, isDone: boolean): Promise<void> {
    const mark = (isTicked: boolean) =>
      changeTicks(caseId, (ticked) => {
        const others = [...ticked].filter((id) => id !== entry);
        return new Set(isTicked ? [...others, entry] : others);
      });
    mark(isDone);
    try {
      const { ids } = await client.texts.tick({ id: caseId, entry, isDone });
      showTicks(caseId, new Set(ids));
    } catch (error) {
      mark(!isDone);
      throw error;
    }
  }

  /** Adds the texts of a colleague's file. @returns the number of new text blocks */
  async function importFile(
    name: string,
    content: string,
    say: Parameters<typeof checklistOf>[2],
  ): Promise<number> {
    const file = readTextsFile(name, content);
    const added = addedByFile(await client.texts.list(), file, {
      newId: () => crypto.randomUUID(),
      say,
    });
    texts.value = await client.texts.save(added);
    return added.blocks.length;
  }
  const exportFile = async (): Promise<string> => writeTextsFile(await client.texts.list());

  /** Returns the text blocks, filled with the fields of a case. */
  function blocksFor(detail: CaseDetail | undefined): TextBlock[] {
    if (!detail) return [];
    const values = {
      key: detail.externalKey,
      policy: detail.policyNumber,
      party: detail.partyName,
      vehicle: detail.subject,
      plate: detail.licensePlate,
      place: detail.place,
      insurer: detail.insurer.name,
      inspection: formatDay(detail.inspectionDate ?? ''),
      date: formatDay(zurichDay(presentMs())),
    };
    return (texts.value?.blocks ?? []).map((block) => ({
      ...block,
      text: fillBlock(block.text, values),
    }));
  }

  return {
    texts,
    problem,
    load,
    saveBlock,
    removeBlock,
    saveChecklist,
    ticks,
    tickProblems,
    loadTicks,
    tick,
    importFile,
    exportFile,
    blocksFor,
  };
});
