import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Engine } from '#main/engine/engine.ts';
import type { BatchPlan } from './batch-plan.ts';

/** What the user does: all that is left of the batch is queued, with its template. */
export async function giveBatch(
  engine: Engine,
  plan: BatchPlan,
  onFilling: () => void = () => undefined,
): Promise<void> {
  const { way, folder, sheet, templateId } = plan;
  if (way === 'folder') {
    const template = { name: templateId, asPdf: false };
    await engine.tools.runBatch({ folder, sheet, template, submit: true });
    return;
  }
  if ((await engine.batch.get()).batch === null) await drop(engine, plan);
  onFilling();
  await engine.batch.queue();
}

/** The files of the folder and the sheet, as the window takes them in. */
async function drop(engine: Engine, { folder, sheet, templateId }: BatchPlan): Promise<void> {
  const paths = readdirSync(folder);
  const files = paths.map((path) => ({ path, sizeBytes: statSync(join(folder, path)).size }));
  const { batch } = await engine.batch.announce({ files });
  for (const path of paths) {
    const content = createReadStream(join(folder, path));
    await engine.files.addBatchFile(batch?.id ?? '', path, { content, isSeen: true });
  }
  const contentBase64 = readFileSync(sheet, 'base64');
  await engine.batch.setSheet({ fileName: basename(sheet), contentBase64 });
  await engine.batch.setTemplate({ template: { templateId, asPdf: false } });
}
