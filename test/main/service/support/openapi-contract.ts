import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { PartnerAnswer } from './partner.ts';

const responseSchema = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.object({ schema: z.unknown() })).default({}),
});
const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
});
type OpenApi = z.infer<typeof documentSchema>;

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly answer: PartnerAnswer;
}

/** Headers of HTTP itself, which an OpenAPI document does not describe. */
const httpHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * The documents of the services under test, by origin. A document is read when it is first needed.
 */
const services = new Map<string, CheckedServer>();

interface CheckedServer {
  readonly document: ReadDocument;
  readonly server: Server;
  isFaulty: boolean;
}

type Server = 'service' | 'gateway';

/** Returns an OpenAPI document. A service in another process is asked for its document. */
type ReadDocument = () => unknown;

/**
 * Checks every answer of a service against its OpenAPI document from now on. `send` calls
 * `assertContract`, so tests need no separate check.
 */
export function checkAgainstContract(
  origin: string,
  document: ReadDocument,
  server: Server = 'service',
): void {
  services.set(origin, { document, server, isFaulty: false });
}

/**
 * Checks an answer against the document of its service. Answers of other servers pass.
 * @throws {Error} if the answer has a status, a header or a member that the document does not
 * describe, or lacks a required one.
 */
export async function assertContract(exchange: Exchange): Promise<void> {
  const { method, url, body, answer } = exchange;
  const { origin } = new URL(url);
  const pathname = pathOf(url.slice(origin.length));
  const service = services.get(origin);
  if (!service) return;
  // While faults are injected, answers are wrong on purpose.
  if (pathname === '/_backoffice/faults' && answer.status === 204) {
    service.isFaulty = !/"Rules"\s*:\s*\[\s*\]/.test(body ?? '');
  }
  if (service.isFaulty || /^\/(?:docs|_backoffice)\//.test(pathname)) return;
  const fault = faultOf(await contractOf(service), method, pathname, answer);
  if (fault) throw new Error(`OpenAPI: ${method} ${pathname} ${answer.status}: ${fault}`);
}

/**
 * Returns the path as the service sees it. Dots stay, because a URL would already resolve them, and
 * needless escapes are decoded.
 */
function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  try {
    return decodeURIComponent(
      path.replaceAll(/%(?:25|2f|23|3f)/gi, (escape) => `%25${escape.slice(1)}`),
    );
  } catch {
    return path;
  }
}

function faultOf(
  contract: Contract,
  method: string,
  path: string,
  answer: PartnerAnswer,
): string | undefined {
  const read = method === 'HEAD' ? 'GET' : method;
  const operation = isNoHttp(answer) ? undefined : contract.find(read, path);
  const pointer = operation
    ? operation.responses.get(String(answer.status))
    : undescribed(answer.status);
  if (pointer === undefined) return 'the status is not described';
  const response = contract.response(pointer);
  return (
    faultOfHeaders(contract, response, answer) ?? faultOfBody(contract, response, method, answer)
  );
}

/**
 * Returns whether the service refused a request that is not valid HTTP, before it knew the
 * operation.
 */
function isNoHttp({ status, json }: PartnerAnswer): boolean {
  const errors = isObject(json) ? json['errors'] : undefined;
  return status === 400 && isObject(errors) && ('request' in errors || 'headers' in errors);
}

/** Returns the description of a refusal at an unknown address. */
function undescribed(status: number): string | undefined {
  return status === 400 || status === 404 ? `#/components/responses/Problem${status}` : undefined;
}

type Response = z.infer<typeof responseSchema>;

function faultOfHeaders(
  contract: Contract,
  response: Response,
  answer: PartnerAnswer,
): string | undefined {
  const described = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, value] of Object.entries(answer.headers)) {
    const header = described.get(name);
    if (header === undefined && !httpHeaders.has(name))
      return `the header ${name} is not described`;
    if (header === undefined) continue;
    const { schema } = z.object({ schema: z.unknown() }).parse(contract.resolve(header));
    if (!contract.validator(schema)(value)) return `the header ${name} is not as described`;
  }
  for (const [name, header] of described) {
    const { required } = z
      .object({ required: z.boolean().default(false) })
      .parse(contract.resolve(header));
    if (required && !(name in answer.headers)) return `the header ${name} is missing`;
  }
  return undefined;
}

function faultOfBody(
  contract: Contract,
  response: Response,
  method: string,
  answer: PartnerAnswer,
): string | undefined {
  if (method === 'HEAD') return undefined;
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  const types = Object.keys(response.content);
  if (types.length === 0) return answer.body.length === 0 ? undefined : 'a body is not described';
  const media = response.content[type];
  if (!media) return `the type ${type} is not described`;
  if (!type.includes('json')) return undefined;
  const validate = contract.validator(media.schema);
  if (validate(answer.json)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`;
}

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  /** The number of fixed characters in the path. The path with the most is the closest match. */
  readonly literal: number;
  /** The response, or its reference, by status. */
  readonly responses: ReadonlyMap<string, unknown>;
}

interface Contract {
  find(method: string, path: string): Operation | undefined;
  /** Returns the target of a reference. Any other value is returned unchanged. */
  resolve(value: unknown): unknown;
  response(pointer: unknown): Response;
  /** Returns a validator, cached by schema, because compiling one is slow. */
  validator(schema: unknown): ValidateFunction;
}

const known = new Map<Server, Promise<Contract>>();

/**
 * Returns one contract for all servers of a kind, because their documents differ only in the
 * address.
 */
function contractOf({ document, server }: CheckedServer): Promise<Contract> {
  const contract =
    known.get(server) ??
    Promise.resolve(document()).then((json) => createContract(documentSchema.parse(json)));
  known.set(server, contract);
  return contract;
}

function createContract(document: OpenApi): Contract {
  const ajv = new Ajv2020({
    strict: false,
    formats: {
      // The service's times are in UTC, with milliseconds (decisions, "Lists").
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      // The patterns and bounds of the schema check these formats as well.
      uuid: true,
      int32: true,
      int64: true,
      double: true,
    },
  });
  ajv.addSchema({ $id: 'openapi', ...onlyNamedMembers(document) });
  const validators = new Map<string, ValidateFunction>();
  const responses = new Map<unknown, Response>();
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const literal = template.replaceAll(/\{\w+\}/g, '');
      return {
        method: method.toUpperCase(),
        path: new RegExp(`^${template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
        literal: literal.length,
        responses: new Map(Object.entries(operation.responses)),
      };
    }),
  );
  operations.sort((a, b) => b.literal - a.literal);

  const resolve = (value: unknown): unknown => {
    const reference = referenceOf(value);
    if (reference === undefined) return value;
    return reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
  };
  return {
    find: (method, path) =>
      operations.find((operation) => operation.method === method && operation.path.test(path)),
    resolve,
    response(pointer) {
      const target = typeof pointer === 'string' ? { $ref: pointer } : pointer;
      const response = responses.get(target) ?? responseSchema.parse(resolve(target));
      responses.set(target, response);
      return response;
    },
    validator(schema) {
      const key = JSON.stringify(schema);
      const validate =
        validators.get(key) ??
        ajv.compile(
          // The cast is safe: the replaced value is a member of the JSON text of an object.
          JSON.parse(
            JSON.stringify(onlyNamedMembers(schema)).replaceAll('"#/', '"openapi#/'),
          ) as object,
        );
      validators.set(key, validate);
      return validate;
    },
  };
}

/**
 * Forbids unnamed members in a copy of a schema. The document allows partners to add members later,
 * but the service itself may send only the named ones.
 */
function onlyNamedMembers<Value>(value: Value): Value {
  const closed: unknown = JSON.parse(JSON.stringify(value), (_name, at: unknown) =>
    isObject(at) && at['type'] === 'object' && 'properties' in at
      ? { ...at, additionalProperties: false }
      : at,
  );
  // The cast restates that the value is a copy with added members.
  return closed as Value;
}

function referenceOf(value: unknown): string | undefined {
  return isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
