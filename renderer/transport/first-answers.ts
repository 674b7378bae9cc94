import type { ClientContext, ClientLink } from '@orpc/client';
import { type FirstAnswers, firstList } from '#shared/desk/first-answers.ts';

/**
 * Asks for what a window that begins with the list needs, in one answer of plain HTTP, which comes
 * while the scripts are still run; the line to the engine opens between scripts only (decision
 * 0060). Null where there is no such answer: then the calls themselves go to the engine.
 */
export async function askFirst(target: Window): Promise<FirstAnswers | null> {
  try {
    const answer = await target.fetch('first-answers');
    // Nothing where a call failed, so that it fails where it is made, with its own problem. What is
    // there comes from this desk, which holds it to the contract.
    return answer.status === 200 ? ((await answer.json()) as FirstAnswers) : null;
  } catch {
    return null;
  }
}

/** A link whose first calls are answered by what was asked ahead; every later one is a call. */
export function withFirstAnswers(
  link: ClientLink<ClientContext>,
  asked: Promise<FirstAnswers | null>,
): ClientLink<ClientContext> {
  const ahead = new Set<string>(['desk.info', 'desk.look', 'cases.list']);
  const isFirst = (name: string, input: unknown): name is keyof FirstAnswers =>
    ahead.delete(name) && (name !== 'cases.list' || isFirstList(input));
  return {
    call: async (path, input, options) => {
      const name = path.join('.');
      const answer = isFirst(name, input) ? (await asked)?.[name] : undefined;
      return answer ?? link.call(path, input, options);
    },
  };
}

const isFirstList = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && inOrder(input) === inOrder(firstList);

const inOrder = (members: object): string =>
  JSON.stringify(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
