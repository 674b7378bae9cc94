import { EventEmitter, on } from 'node:events';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { DeskInfo } from '#shared/desk/setup/workspace.ts';
import { behindDoor } from '#main/engine/door.ts';
import type { Engine, Files, Handlers } from '#main/engine/engine.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { faultLog } from './fault-log.ts';

const workspace = {
  id: 'practice',
  kind: 'practice' as const,
  name: 'Practice',
  baseUrl: 'http://127.0.0.1:1',
  clientId: 'practice',
  kept: true,
};

/** The open workspaces of an engine in memory. */
export const memoryDesk: DeskInfo = {
  version: '0.1.0',
  contractVersion: 1,
  workspace,
  workspaces: [workspace],
  practice: true,
};

/** Calls by group. A missing call answers nothing, which breaks the contract. */
export type SomeHandlers = { readonly [Group in keyof Handlers]?: Partial<Handlers[Group]> };

export interface MemoryEngine {
  readonly engine: Engine;
  readonly emit: (event: DeskEvent) => void;
  /** The number of open subscriptions to events. */
  readonly open: { subscriptions: number };
}

/**
 * Creates an engine without stores, keys and partner, behind the real door. Every double of the
 * engine uses it.
 * @param handlers the answers, which a test may replace later
 */
export function createMemoryEngine(
  handlers: SomeHandlers,
  { files = {}, log = faultLog }: { files?: Partial<Files>; log?: FaultLog | undefined } = {},
): MemoryEngine {
  const bus = new EventEmitter();
  const open = { subscriptions: 0 };
  const isMissing = () => Promise.reject(new DeskError('document_not_found'));
  const engine: Engine = {
    // The cast is safe: a test calls only groups that exist.
    ...behindDoor(handlers as Handlers, { log }),
    files: {
      openDocument: isMissing,
      openAttachment: isMissing,
      openOriginal: isMissing,
      addAttachment: isMissing,
      addBatchFile: isMissing,
      setRendition: isMissing,
      addTemplate: isMissing,
      openTemplateFile: isMissing,
      openTemplatePages: isMissing,
      openMarkedTemplate: isMissing,
      setSignature: isMissing,
      replaceAttachment: isMissing,
      ...files,
    },
    makeReport: () => Promise.reject(new Error('only the command line makes a report at once')),
    readTexts: () => Promise.resolve(),
    startSchedule: () => undefined,
    updateChanged: () => void bus.emit('event', { type: 'update.changed' }),
    events(signal) {
      open.subscriptions += 1;
      // The events are collected from the call on, as the engine does it.
      const heard = on(bus, 'event', signal ? { signal } : {});
      return (async function* () {
        try {
          yield { type: 'alive' as const, at: new Date().toISOString() };
          for await (const [event] of heard) yield event as DeskEvent;
        } catch (error) {
          if (!signal?.aborted) throw error;
        } finally {
          open.subscriptions -= 1;
        }
      })();
    },
    close: () => Promise.resolve(),
  };
  return { engine, open, emit: (event) => void bus.emit('event', event) };
}
