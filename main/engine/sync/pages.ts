import type { Answered, ClientPage } from '../client/partner-client.ts';

/**
 * Reads a whole list that nobody else changes meanwhile, page after page.
 * A server may lower the size; it says so in `size`.
 */
export async function* readPages<Item>(
  size: number,
  read: (page: { page: number; size: number }) => Promise<Answered<ClientPage<Item>>>,
): AsyncGenerator<Answered<ClientPage<Item>>> {
  let seen = 0;
  for (let page = 1; ; page += 1) {
    const answered = await read({ page, size });
    yield answered;
    seen += answered.value.items.length;
    if (answered.value.items.length === 0 || seen >= answered.value.total) return;
  }
}
