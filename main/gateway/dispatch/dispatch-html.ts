import { createHash } from 'node:crypto';
import { caseStatuses } from '#shared/api/case-words.ts';
import { dispatchTexts, wordFor, words } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import {
  dispatchPageSize,
  nobody,
  type DispatchCase,
  type DispatchFilters,
  type Person,
} from './dispatch-cases.ts';

/* The dispatcher's page, which is plain HTML without a script. */

/** HTML that is already escaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + textOf(parts[index] ?? '')).join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return visibleText(String(part)).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #1b1b1f; background: #fff; }
  header { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
  header form { align-items: center; }
  h1 { font-size: 1.6rem; margin: 0; }
  form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 1rem 0; }
  label { display: grid; gap: 0.2rem; }
  input, select, button { font: inherit; padding: 0.35rem 0.5rem; }
  input:not([type='checkbox']), select, button { box-sizing: border-box; height: 2.4rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.4rem 0.6rem; border-bottom: 1px solid #ccc; }
  .act { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; width: 100%;
    position: sticky; bottom: 0; padding: 0.75rem 0; background: #fff; border-top: 1px solid #ccc; }
  [role='alert'] { color: #a40000; }
  @media (prefers-color-scheme: dark) {
    body, .act { color: #e5e1e6; background: #1b1b1f; }
    th, td, .act { border-color: #47464f; }
    [role='alert'] { color: #ffb4ab; }
    a { color: #a8c7fa; }
  }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The content security policy, which allows only this page's style and forms. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

function page(language: Language, content: Html): string {
  const { title } = dispatchTexts[language];
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html> `.text;
}

/** The page that asks for the code with which a dispatcher signs in. */
export function signInPage(language: Language, isWrong: boolean): string {
  const t = dispatchTexts[language];
  return page(
    language,
    html`<main>
      <h1>${t.title}</h1>
      ${isWrong ? html`<p role="alert">${t.codeWrong}</p>` : ''}
      <form method="post" action="/dispatch/sign-in">
        <label
          >${t.code} <input name="code" required autofocus autocomplete="off" size="40"
        /></label>
        <button>${t.signIn}</button>
      </form>
      <p>${t.codeHelp}</p>
    </main>`,
  );
}

interface DispatchView {
  readonly name: string;
  readonly filters: DispatchFilters;
  readonly total: number;
  readonly cases: readonly DispatchCase[];
  readonly people: readonly Person[];
}

/** The cases with their assignments, and a filter. */
// oxlint-disable-next-line max-lines-per-function -- the page as a template
export function dispatchPage(language: Language, view: DispatchView): string {
  const { filters, total, cases, people } = view;
  const t = dispatchTexts[language];
  const columns = words[language].columns;
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${label}</option>`;
  const persons = people.map(({ id, name, cases: count }) => ({ id, label: `${name} (${count})` }));
  const chosen = addressOf(filters);
  return page(
    language,
    html`<header>
        <h1>${t.title}</h1>
        <form method="post" action="/dispatch/sign-out">
          <span>${view.name}</span> <button>${t.signOut}</button>
        </form>
      </header>
      <main>
        <form>
          <label>${t.search} <input type="search" name="q" value="${filters.q}" /></label>
          <label
            >${t.status}
            <select name="status">
              ${option('', t.anyStatus, filters.status)}
              ${caseStatuses.map((status) =>
                option(status, wordFor(language, 'caseStatus', status), filters.status),
              )}
            </select></label
          >
          <label
            >${t.person}
            <select name="person">
              ${option('', t.anyone, filters.person)} ${option(nobody, t.nobody, filters.person)}
              ${persons.map(({ id, label }) => option(id, label, filters.person))}
            </select></label
          >
          <button>${t.show}</button>
        </form>
        <p role="status">${cases.length === 0 ? t.none : `${t.found}: ${total}`}</p>
        <form method="post" action="/dispatch/assign">
          <input type="hidden" name="back" value="${chosen}" />
          <table>
            <thead>
              <tr>
                <td></td>
                <th scope="col">${t.case}</th>
                <th scope="col">${columns.status}</th>
                <th scope="col">${t.category}</th>
                <th scope="col">${t.postalCode}</th>
                <th scope="col">${t.responsible}</th>
                <th scope="col">${t.assigned}</th>
              </tr>
            </thead>
            <tbody>
              ${cases.map(
                (row) =>
                  html`<tr>
                    <td>
                      <input
                        type="checkbox"
                        name="case"
                        value="${row.id}"
                        aria-label="${t.choose} ${row.external_key}"
                      />
                    </td>
                    <th scope="row">${row.external_key}</th>
                    <td>${wordFor(language, 'caseStatus', row.status)}</td>
                    <td>${wordFor(language, 'category', row.category)}</td>
                    <td>${row.postal_code}</td>
                    <td>${row.responsible}</td>
                    <td>${row.assigned.join(', ')}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
          <div class="act">
            <label
              >${t.chosen}
              <select name="client">
                ${persons.map(({ id, label }) => option(id, label, ''))}
              </select></label
            >
            <button name="action" value="assign">${t.assign}</button>
            <button name="action" value="remove">${t.remove}</button>
          </div>
        </form>
        <nav>
          ${filters.page > 1 ? pageLink(filters, -1, t.previous) : ''}
          ${filters.page * dispatchPageSize < total ? pageLink(filters, 1, t.next) : ''}
        </nav>
      </main>`,
  );
}

function pageLink(filters: DispatchFilters, step: number, label: string): Html {
  return html`<a href="/dispatch?${addressOf({ ...filters, page: filters.page + step })}"
    >${label}</a
  >`;
}

/** The address of the page with the filters as its query. */
export function addressOf({ q, status, person, page: number }: DispatchFilters): string {
  return new URLSearchParams({ q, status, person, page: String(number) }).toString();
}
