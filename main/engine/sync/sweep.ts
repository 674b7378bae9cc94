import { pageSizeMax } from '#shared/api/limits.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import { readPages } from '../client/answers.ts';

/**
 * Reads the whole list once more, whatever the cursor says, to catch what paging by number or a
 * server's careless LastChangedAt may have missed. Only adds: cursor and walk are the pull's.
 * @returns how many cases were read
 * @throws {DeskError} where the list could not be read to its end
 */
export async function sweep({
  client,
  cache,
  signal,
  onCases,
}: {
  client: PartnerClient;
  cache: Cache;
  signal: AbortSignal;
  onCases: (caseIds: string[]) => void;
}): Promise<number> {
  let read = 0;
  const pages = readPages(pageSizeMax, (page) => client.listCases(page, { signal }));
  for await (const { value } of pages) {
    const changed = cache.cases.upsert(value.items);
    if (changed.length > 0) onCases(changed);
    read += value.items.length;
  }
  return read;
}
