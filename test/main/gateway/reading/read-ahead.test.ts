import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createPull } from '#main/gateway/reading/pull.ts';
import { readState } from '#main/gateway/state.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { shareGatewayStore } from '../support/store.ts';

const store = shareGatewayStore();

const changedAt = '2026-03-01T10:00:00.000Z';
const listed = { Id: 'a', Status: 'Accepted', LastChangedAt: changedAt, PayloadJson: '{}' };
const free = { waiting: () => 0, left: () => 100 };

test('reading ahead: a case whose list was refused is read again the next day, and not before', async () => {
  const { log } = createMemoryLog();
  const clock = createFakeClock();
  const documents = { asked: 0, isRefused: true };
  const pull = createPull({
    db: store().db,
    clock,
    log,
    upstream: {
      turns: { standard: free, documents: free },
      serverNow: () => clock.now(),
      read(_asker, schema, { operation }) {
        if (operation === 'X6') {
          documents.asked += 1;
          if (documents.isRefused)
            return Promise.reject(new DeskError('server_refused', { title: '', status: 500 }));
        }
        const Items = operation === 'X1' ? [listed] : [];
        const value = schema.parse({ Total: Items.length, Items });
        return Promise.resolve({ value, status: 200, correlationId: '', serverDateMs: null });
      },
    },
  });
  onTestFinished(() => pull.stop());
  pull.start();
  await expect.poll(() => documents.asked).toBe(1);
  documents.isRefused = false;
  // The moments of the turns; each but the last is over.
  const turns = new Set<string | null>();
  const letTurnsPass = async () => {
    clock.advance(5000);
    return turns.add(await readState(store().db, 'read_ahead_at')).size;
  };
  await expect.poll(letTurnsPass).toBeGreaterThan(2);
  expect(documents.asked).toBe(1);
  clock.advance(24 * 60 * 60_000);
  await expect.poll(async () => (await letTurnsPass(), documents.asked)).toBe(2);
  const asOf = store().db.selectFrom('cases').select('documents_as_of');
  await expect.poll(() => asOf.execute()).toEqual([{ documents_as_of: changedAt }]);
});
