import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { routes } from '#shared/api/routes.ts';
import { problemContentType } from '../../front/problem.ts';
import type { ServiceContext } from '../context.ts';
import type { Limiter } from '../../front/limits/limiter.ts';

/** The Retry-After of an injected 429. */
const retryAfterMs = 1000;

const effects = ['delay', 'status', 'drop-before', 'drop-after', 'truncate', 'garbage'] as const;

const pathPattern = z.string().transform((source, check) => {
  try {
    return new RegExp(source);
  } catch {
    check.addIssue('must be a regular expression.');
    return z.NEVER;
  }
});

/** A rule: an effect, and the requests that it affects. */
const faultRuleSchema = z.object({
  /** The method; if absent, any method matches. */
  Method: z
    .string()
    .transform((method) => method.toUpperCase())
    .nullish(),
  /** The path without the query; if absent, any path matches. */
  Path: pathPattern.nullish(),
  Effect: z.enum(effects, { error: `must be one of: ${effects.join(', ')}.` }),
  /** The number of remaining effects; without it the rule stays. */
  Times: z.int().min(1).nullish(),
  /** The probability; 1 if absent. */
  Probability: z.number().min(0).max(1).nullish(),
  DelayMs: z.int().min(0).max(600_000).nullish(),
  Status: z.int().min(400).max(599).nullish(),
  Title: z.string().min(1).nullish(),
});
type FaultRule = z.output<typeof faultRuleSchema>;

/** The body of PUT /_backoffice/faults. */
export const faultRulesSchema = z.object({ Rules: z.array(faultRuleSchema) });

/**
 * Injects faults into requests, except those to the back office. The first rule that matches a
 * request affects it.
 * @returns the function that replaces the rules
 */
export function mountFaults(
  app: FastifyInstance,
  { clock, limiter, random }: Pick<ServiceContext, 'clock' | 'limiter' | 'random'>,
): (rules: readonly FaultRule[]) => void {
  let rules: { readonly rule: FaultRule; left: number }[] = [];
  const affected = new WeakMap<FastifyRequest, FaultRule>();

  function ruleFor(request: FastifyRequest): FaultRule | undefined {
    const path = request.url.split('?', 1)[0] ?? '';
    if (path.startsWith('/_backoffice/')) return undefined;
    const entry = rules.find(
      ({ rule, left }) =>
        left > 0 &&
        (rule.Method ?? request.method) === request.method &&
        (rule.Path?.test(path) ?? true) &&
        random() < (rule.Probability ?? 1),
    );
    if (!entry) return undefined;
    entry.left--;
    return entry.rule;
  }

  // The hook uses no promises, because every request passes through it.
  app.addHook('onRequest', (request, reply, done) => {
    const rule = rules.length === 0 ? undefined : ruleFor(request);
    if (rule) affected.set(request, rule);
    if (rule?.Effect === 'drop-before') {
      reply.hijack();
      request.raw.socket.destroy();
    } else if (rule?.Effect === 'garbage') {
      reply.code(200).type('text/html; charset=utf-8').send(loginPage);
    } else if (rule?.Effect === 'status') {
      sendStatus(request, reply, rule, limiter);
    } else done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const rule = affected.get(request);
    if (rule?.Effect === 'delay') {
      clock.after(rule.DelayMs ?? 0, () => done(null, payload));
    } else if (rule?.Effect === 'truncate') {
      truncate(reply, payload).then((half) => done(null, half), done);
    } else {
      if (rule?.Effect === 'drop-after') request.raw.socket.destroy();
      done(null, payload);
    }
  });

  return (next) => {
    rules = next.map((rule) => ({ rule, left: rule.Times ?? Infinity }));
  };
}

/** Answers a request in place of the operation. */
function sendStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  { Status, Title }: FaultRule,
  limiter: Limiter,
): FastifyReply {
  const status = Status ?? 500;
  const { operation } = request.routeOptions.config;
  if (status === 429 && operation) {
    reply.headers(limiter.refusal(routes[operation].bucket, retryAfterMs).headers);
  }
  const problem = {
    type: 'about:blank',
    title: Title ?? 'internal_error',
    status,
    detail: 'A fault rule of the back office answers this request.',
    instance: request.id,
  };
  // The body is sent as bytes, because Fastify would add a charset, which the media type does not
  // have.
  return reply
    .code(status)
    .type(problemContentType)
    .send(Buffer.from(JSON.stringify(problem)));
}

/** Announces the whole body, sends half of it, and closes the connection. */
async function truncate(reply: FastifyReply, payload: unknown): Promise<unknown> {
  const whole = await wholeOf(payload);
  if (whole.length === 0) return payload;
  reply.header('content-length', String(whole.length));
  reply.header('connection', 'close');
  // The body is a stream, because Fastify corrects the length of anything else.
  return Readable.from([whole.subarray(0, whole.length >> 1)], { objectMode: false });
}

async function wholeOf(payload: unknown): Promise<Buffer> {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.from(payload);
  if (!(payload instanceof Readable)) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  // A stream of JSON returns buffers.
  for await (const piece of payload) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const loginPage = `<!doctype html>
<html lang="en">
  <head><title>Welcome to the guest network</title></head>
  <body>
    <h1>Please sign in</h1>
    <form method="post" action="/login">
      <label>Room <input name="room"></label>
      <label>Name <input name="name"></label>
      <button>Connect</button>
    </form>
  </body>
</html>
`;
