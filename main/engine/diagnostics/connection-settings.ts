import { operationIds, routes, type OperationId } from '#shared/api/routes.ts';
import type { ConnectionCheck } from '#shared/desk/setup/diagnostics.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import type { DeskPolicy } from '../policy-schema.ts';

type Setting = ConnectionCheck['settings'][number];

/** The operations that an expert's desk uses, including the token request. */
const used = operationIds.filter((id) => id === 'token' || id.startsWith('X'));

/** The settings of a connection's requests, and which of them the organization's policy sets. */
export function connectionSettings(record: WorkspaceRecord, policy: DeskPolicy): Setting[] {
  const { connection = {}, paths = {}, proxy } = policy;
  const setting = (name: string, value: string, fromPolicy?: string): Setting => ({
    name,
    value: fromPolicy ?? value,
    isPolicy: fromPolicy !== undefined,
  });
  const htu = (isWithoutQuery: boolean) =>
    isWithoutQuery ? 'without the query' : 'with the query';
  const { htuWithoutQuery } = connection;
  const path = (id: OperationId) =>
    setting(`path.${id}`, `${routes[id].method} ${routes[id].path}`, pathOf(id, paths[id]));
  return [
    setting('baseUrl', record.baseUrl, connection.baseUrl),
    setting('audience', record.audience, connection.audience),
    setting('clientId', record.clientId),
    setting('scope', record.scope ?? '', connection.scope),
    setting(
      'htu',
      htu(record.htuWithoutQuery),
      htuWithoutQuery === undefined ? undefined : htu(htuWithoutQuery),
    ),
    setting('redirects', 'refused'),
    setting('proxy', 'of the system', proxy?.url),
    setting('parameter.page', 'page'),
    setting('parameter.size', 'size'),
    setting(
      'parameter.lastChangedSince',
      record.changedSinceParameter ?? 'lastChangedSince',
      connection.changedSinceParameter,
    ),
    ...used.map(path),
  ];
}

const pathOf = (id: OperationId, path: string | undefined) =>
  path === undefined ? undefined : `${routes[id].method} ${path}`;
