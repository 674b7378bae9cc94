import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { routes } from '#shared/api/routes.ts';
import { languages, type Language } from './language.ts';
import { fastifyPath } from './operation-path.ts';
import type { Recipient } from './problem.ts';

const i9 = fastifyPath(routes.I9.path);

/**
 * The language that a refusal is told in: the `lang` of I9 where it is given (decisions,
 * "Documents"), else the first choice of Accept-Language by its quality values (RFC 9110 section
 * 12.5.4), else German.
 */
function languageOf(request: FastifyRequest): Language {
  return queryLanguage(request) ?? acceptedLanguage(request.headers['accept-language']);
}

/** To whom a refusal of the request is told. */
export function recipientOf(request: FastifyRequest): Recipient {
  return { correlationId: request.id, language: languageOf(request) };
}

function queryLanguage({ routeOptions, query }: FastifyRequest): Language | undefined {
  if (routeOptions.url !== i9 || typeof query !== 'object' || query === null) return undefined;
  return languages.find((name) => 'lang' in query && query.lang === name);
}

/**
 * The first of the tags in their order whose primary subtag is one of our languages: `fr-CH, en`
 * asks for French, which a match by exactness would lose to English.
 */
function acceptedLanguage(header: string | undefined): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': header } });
  const asked = accepted.languages().map((tag) => tag.split('-', 1)[0]?.toLowerCase());
  // Without those that are refused with a quality of 0.
  const allowed = languages.filter((name) => accepted.languages(languages).includes(name));
  for (const primary of asked) {
    const found = allowed.find((name) =>
      primary === '*' ? !asked.includes(name) : name === primary,
    );
    if (found) return found;
  }
  return languages[0];
}
