import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type {
  RestoredWork,
  WorkBackupDecision,
  WorkBackupList,
  WorkPackage,
  WorkPackageInput,
} from '#shared/desk/setup/work-package.ts';
import { assertNotSpecial } from '../disk/regular-file.ts';
import { writeNewFile } from '../disk/write-file.ts';
import { originalOf } from '../work/attachment-rows.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Work } from '../work/open-work.ts';
import { type Arrived, openWorkSchema } from '../work/transfer.ts';
import { ByteReader, openPackage, sealPackage } from './sealed-package.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { wholeList } from '#shared/lib/whole-list.ts';

const manifestMaxBytes = 256 * 1024 * 1024;

/**
 * The beginning of the package: the length of the manifest as 4 bytes, the manifest as JSON, and
 * then the contents in the manifest's order.
 */
const manifestSchema = z.object({
  version: z.literal(1),
  packedAtMs: z.number(),
  connection: z.object({ name: z.string(), baseUrl: z.string(), clientId: z.string() }),
  work: openWorkSchema,
  contents: z.array(
    z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().nonnegative() }),
  ),
});
type Manifest = z.infer<typeof manifestSchema>;

/** The parts of a workspace that are packed, or into which a package is unpacked. */
export interface PackedWorkspace {
  readonly record: WorkspaceRecord;
  readonly client: Pick<PartnerClient, 'serverNow'>;
  readonly work: Work;
  readonly workFiles: BlobStore;
}

/** The parts of a workspace that take work over. */
type TakingWorkspace = Pick<PackedWorkspace, 'work'> & { readonly cache: Pick<Cache, 'cases'> };

/** Reports the progress: bytes done, and all bytes. */
export type OnBytes = (doneBytes: number, totalBytes: number) => void;

/**
 * Writes the undelivered work of a workspace, with its files, into one encrypted package. The work
 * also stays here. Its reports are marked, because from then on two laptops may deliver them.
 * @throws {DeskError} file_exists, file_unwritable, disk_full
 */
export async function backUpWork(
  workspace: PackedWorkspace,
  { file, passphrase }: WorkPackageInput,
  onBytes: OnBytes = () => undefined,
): Promise<WorkPackage> {
  const { record, client } = workspace;
  const work = workspace.work.transfer.pack();
  const attachments = work.drafts.flatMap((draft) => draft.attachments);
  const contents = new Map(
    attachments
      .flatMap(({ sha256, size_bytes, blob_id, details }) => [
        { sha256, sizeBytes: size_bytes, blobId: blob_id },
        originalOf(details) ?? [],
      ])
      .flat()
      .concat(
        work.templates.map(({ sha256, size_bytes, blob_id }) => {
          return { sha256, sizeBytes: size_bytes, blobId: blob_id };
        }),
      )
      .map((content) => [content.sha256, content]),
  );
  const manifest: Manifest = {
    version: 1,
    packedAtMs: Math.round(client.serverNow()),
    connection: { name: record.name, baseUrl: record.baseUrl, clientId: record.clientId },
    work,
    contents: [...contents.values()].map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes })),
  };
  const totalBytes = manifest.contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const plain = async function* () {
    const text = Buffer.from(JSON.stringify(manifest));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    yield Buffer.concat([length, text]);
    let doneBytes = 0;
    for (const { blobId } of contents.values()) {
      for await (const piece of workspace.workFiles.open(blobId) as AsyncIterable<Buffer>) {
        yield piece;
        doneBytes += piece.length;
        onBytes(doneBytes, totalBytes);
      }
    }
  };
  const marked = async function* () {
    yield* sealPackage(plain(), passphrase);
    // Everything is written, and the file gets its name after this. A package whose reports are not
    // marked would be submitted twice.
    workspace.work.transfer.markShared(work, manifest.packedAtMs);
  };
  const sizeBytes = await writeNewFile(file, marked());
  const queued = work.drafts.filter(({ draft }) => draft.queue_id !== null).length;
  return {
    file,
    sizeBytes,
    createdAt: new Date(manifest.packedAtMs).toISOString(),
    entries: work.rows.length,
    drafts: work.drafts.length - queued,
    files: attachments.length,
  };
}

/**
 * Adds the work of a package to this workspace. Existing work is not changed, and nothing is added
 * twice. Work that the other laptop may deliver as well retains its idempotency keys, and its
 * outcome is unknown.
 * @throws {DeskError} file_not_found, package_unreadable, package_damaged,
 *   package_passphrase_wrong, package_other_connection, home_newer, disk_full; then nothing was
 *   added
 */
export async function restoreWork(
  workspace: TakingWorkspace & Pick<PackedWorkspace, 'record' | 'workFiles'>,
  { file, passphrase }: WorkPackageInput,
  onBytes: OnBytes = () => undefined,
): Promise<RestoredWork> {
  const reader = new ByteReader(openPackage(bytesOf(file), passphrase));
  try {
    const manifest = await readManifest(reader);
    if (manifest.connection.clientId !== workspace.record.clientId) {
      throw new DeskError('package_other_connection', { name: manifest.connection.name });
    }
    const blobIds = await takeContents(workspace, reader, manifest, onBytes);
    const arrived = workspace.work.transfer.unpack(manifest.work, {
      packedAtMs: manifest.packedAtMs,
      blobIdOf(sha256) {
        const blobId = blobIds.get(sha256);
        if (blobId === undefined) throw damaged();
        return blobId;
      },
    });
    return restored(arrived, manifest.packedAtMs, workspace.cache);
  } finally {
    await reader.close();
  }
}

/** The result of a restore, as the user sees it. */
function restored(
  { rowIds, differing, ...counts }: Arrived,
  createdAtMs: number,
  { cases }: Pick<Cache, 'cases'>,
): RestoredWork {
  return {
    createdAt: new Date(createdAtMs).toISOString(),
    entries: rowIds.length,
    // A case that was not read yet has no number here.
    differing: Array.from(differing, (caseId) => {
      return { caseId, externalKey: cases.find(caseId)?.externalKey ?? caseId };
    }),
    ...counts,
  };
}

const damaged = (cause?: unknown) => new DeskError('package_damaged', {}, { cause });

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  assertNotSpecial(file);
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) yield piece;
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(file) }, { cause: error });
  }
}

async function readManifest(reader: ByteReader): Promise<Manifest> {
  const head = await reader.take(4);
  const length = head.length === 4 ? head.readUInt32BE() : 0;
  if (length === 0 || length > manifestMaxBytes) throw damaged();
  try {
    const text = (await reader.take(length)).toString('utf8');
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw error instanceof DeskError ? error : damaged(error);
  }
}

/** Stores every content. @returns the name under which it is stored here, by its hash */
async function takeContents(
  { workFiles }: Pick<PackedWorkspace, 'workFiles'>,
  reader: ByteReader,
  { contents }: Manifest,
  onBytes: OnBytes,
): Promise<ReadonlyMap<string, string>> {
  const totalBytes = contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const blobIds = new Map<string, string>();
  let doneBytes = 0;
  for (const { sha256, sizeBytes } of contents) {
    const writer = await workFiles.createWriter();
    try {
      for (let left = sizeBytes; left > 0;) {
        const piece = await reader.take(Math.min(left, 64 * 1024));
        if (piece.length === 0) throw damaged();
        await writer.write(piece);
        left -= piece.length;
        doneBytes += piece.length;
        onBytes(doneBytes, totalBytes);
      }
      const stored = await writer.finish();
      if (stored.sha256 !== sha256) throw damaged();
      blobIds.set(sha256, stored.blobId);
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
  if (!(await reader.isAtEnd())) throw damaged();
  return blobIds;
}

/** The work that is offered after its database was damaged. */
export function workBackups(work: Work): WorkBackupList {
  return wholeList(
    work.offered().map(({ id, backedUpAtMs, views, work: { rows, drafts } }) => ({
      id,
      backedUpAt: new Date(backedUpAtMs).toISOString(),
      entries: rows.length,
      drafts: drafts.filter(({ draft }) => draft.queue_id === null).length,
      views: views.length,
    })),
  );
}

/**
 * Adds offered work, or sets it aside permanently.
 * @throws {DeskError} invalid_input if no backup of this id is offered
 */
export function decideOnWorkBackup(
  {
    work,
    client,
    cache,
    clock,
  }: TakingWorkspace & Pick<PackedWorkspace, 'client'> & { readonly clock: Clock },
  { id, decision }: WorkBackupDecision,
): RestoredWork | null {
  const offer = work.offered().find((candidate) => candidate.id === id);
  if (!offer) throw new DeskError('invalid_input', { field: 'id', rule: 'unknown' });
  if (decision === 'leave') {
    work.leaveAside(offer);
    return null;
  }
  // The time of the backup is the laptop's, but every comparison is with the server's time.
  const packedAtMs = offer.backedUpAtMs + client.serverNow() - clock.now();
  return restored(work.takeBack(offer, Math.round(packedAtMs)), offer.backedUpAtMs, cache);
}
