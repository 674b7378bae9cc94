import { wholeList } from '#shared/lib/whole-list.ts';
import { findCase } from '../cases/case-view.ts';
import {
  handlersOf,
  markOwn,
  notedBefore,
  ownCases,
  setOwnRule,
  today,
  visits,
} from '../cases/day.ts';
import { turnsOf } from '../cases/turns.ts';
import { postpone, unfinished } from '../cases/unfinished.ts';
import { handOver, noteHandler, officeOf } from '../cases/office.ts';
import type { Handlers } from '../engine.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

export function dayCalls(
  opened: () => OpenWorkspace,
  { settings, emit }: Pick<DeskParts, 'settings' | 'emit'>,
): Handlers['day'] {
  return {
    today: (input) => today(opened(), input),
    visits({ ids }) {
      const workspace = opened();
      return wholeList(visits(workspace, workspace.cache.cases.byIds(ids)));
    },
    setVisit({ id, ...visit }) {
      const workspace = opened();
      const { record } = findCase(workspace, id);
      workspace.work.local.setVisit(record.id, visit);
      workspace.emit({ type: 'day.changed' });
      return {};
    },
    setPlan({ day, order }) {
      opened().work.local.setPlan(day, order);
      emit({ type: 'day.changed' });
      return {};
    },
    messages: () => settings.visitMessages,
    setMessages(messages) {
      settings.setVisitMessages(messages);
      emit({ type: 'desk.changed' });
      return settings.visitMessages;
    },
    unfinished: (input) => unfinished(opened(), input),
    turns: ({ ids }) => wholeList(turnsOf(opened(), ids)),
    postpone(input) {
      postpone(opened(), input);
      return {};
    },
    ready: (days) => opened().readiness.view(days),
    makeReady: (days) => opened().readiness.check(days),
  };
}

export function ownCalls(opened: () => OpenWorkspace): Handlers['own'] {
  return {
    get: () => ownCases(opened()),
    setRule: (rule) => setOwnRule(opened(), rule),
    mark: (input) => markOwn(opened(), input),
    handlers: () => handlersOf(opened()),
    setHandler({ ids, name }) {
      const workspace = opened();
      const before = notedBefore(workspace, ids);
      noteHandler(workspace, ids, name);
      return { ...handlersOf(workspace), before };
    },
    office: () => officeOf(opened()),
    handOver: (input) => handOver(opened(), input),
    of({ id: ref }) {
      const workspace = opened();
      const { cache, work } = workspace;
      const { id } = findCase(workspace, ref).record;
      return { own: cache.own.of([id]).has(id), mark: work.local.marks().get(id) ?? null };
    },
  };
}
