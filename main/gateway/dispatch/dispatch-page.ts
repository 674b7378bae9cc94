import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { opaqueIdSchema } from '#shared/api/conventions.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { Problem } from '../../front/problem.ts';
import { assignCase } from '../reading/store-cases.ts';
import { recordAudit } from '../writing/audit.ts';
import type { GatewayContext } from '../context.ts';
import {
  dispatchFilters,
  dispatchPageSize,
  findDispatchCases,
  findPeople,
} from './dispatch-cases.ts';
import { addressOf, dispatchPage, pagePolicy, signInPage } from './dispatch-html.ts';
import { findDispatcher, sessionLifetimeMs, signIn, signOut } from './dispatch-session.ts';

const path = '/dispatch';
const cookieName = 'dispatcher';
const bodyLimit = 64 * 1024;

const assignForm = z.object({
  cases: z.array(opaqueIdSchema).max(dispatchPageSize),
  client: z.string().min(1),
  action: z.enum(['assign', 'remove']),
});

/**
 * Mounts the page on which a dispatcher assigns cases. The dispatcher signs in with a code from the
 * command line.
 */
export function mountDispatchPage(app: FastifyInstance, context: GatewayContext): void {
  const { db, clock, limiter, address } = context;
  const dispatcherOf = (request: FastifyRequest) => {
    const token = tokenOf(request);
    return token === undefined ? undefined : findDispatcher(db, clock, token);
  };
  const cookie = (token: string, maxAgeS: number) =>
    [
      `${cookieName}=${token}`,
      `Path=${path}`,
      `Max-Age=${maxAgeS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(address.publicUrl.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');
  const show = async (request: FastifyRequest, reply: FastifyReply, isWrong = false) => {
    const language = languageOf(request);
    const dispatcher = await dispatcherOf(request);
    if (!dispatcher) return sendPage(reply, signInPage(language, isWrong));
    const filters = dispatchFilters.parse(request.query);
    const [found, people] = await Promise.all([
      findDispatchCases(context, filters),
      findPeople(context),
    ]);
    return sendPage(
      reply,
      dispatchPage(language, { name: dispatcher.name, filters, people, ...found }),
    );
  };

  app.get(path, (request, reply) => show(request, reply));

  app.post(`${path}/sign-in`, { bodyLimit }, async (request, reply) => {
    assertOwnForm(context, request);
    await limiter.draw('validate', { address: request.ip });
    const token = await signIn(db, clock, formOf(request).get('code') ?? '');
    if (token === null) return show(request, reply.code(403), true);
    reply.header('Set-Cookie', cookie(token, sessionLifetimeMs / 1000));
    return reply.redirect(path, 303);
  });

  app.post(`${path}/sign-out`, { bodyLimit }, async (request, reply) => {
    assertOwnForm(context, request);
    const token = tokenOf(request);
    if (token !== undefined) await signOut(db, token);
    return reply.header('Set-Cookie', cookie('', 0)).redirect(path, 303);
  });

  app.post(`${path}/assign`, { bodyLimit }, async (request, reply) => {
    assertOwnForm(context, request);
    const dispatcher = await dispatcherOf(request);
    if (!dispatcher) return reply.redirect(path, 303);
    const form = formOf(request);
    const { cases, client, action } = parseAssignment(form);
    const isRemoved = action === 'remove';
    for (const caseId of cases) {
      if (!(await assignCase(db, clock, { caseId, clientId: client, isRemoved }))) continue;
      await recordAudit(context, {
        clientId: dispatcher.clientId,
        operation: isRemoved ? 'unassign' : 'assign',
        subject: `${caseId} ${client}`,
        status: 200,
        correlationId: request.id,
      });
    }
    const back = Object.fromEntries(new URLSearchParams(form.get('back') ?? ''));
    return reply.redirect(`${path}?${addressOf(dispatchFilters.parse(back))}`, 303);
  });
}

/** @throws {Problem} invalid_request if the form is not from this page */
function parseAssignment(form: URLSearchParams): z.output<typeof assignForm> {
  const found = assignForm.safeParse({
    cases: form.getAll('case'),
    client: form.get('client'),
    action: form.get('action'),
  });
  if (found.success) return found.data;
  throw new Problem('invalid_request', 'the form is not one of this page', {
    errors: { form: ['is not one of this page.'] },
  });
}

/**
 * Refuses a form of another site, in addition to the cookie, which its browser does not send.
 * @throws {Problem} forbidden
 */
function assertOwnForm({ address }: GatewayContext, { headers }: FastifyRequest): void {
  if (headers.origin === new URL(address.publicUrl).origin) return;
  throw new Problem('forbidden', 'the form comes from another address than the public one');
}

function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
}

function tokenOf({ headers }: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${cookieName}=([0-9a-f]{64})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
}

/** The first language of the browser in which the page exists. */
function languageOf({ headers }: FastifyRequest): Language {
  const wanted = (headers['accept-language'] ?? '').split(',').map((tag) => tag.trim().slice(0, 2));
  return (
    wanted.flatMap((tag) => languages.filter((language) => language === tag.toLowerCase()))[0] ??
    'de'
  );
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': pagePolicy,
      // The browser sends the origin with a form.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(text);
}
