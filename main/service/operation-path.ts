/**
 * A path template of `shared/api/routes.ts` as Fastify writes it. A colon in the path is doubled,
 * and a parameter before such a colon may not swallow it.
 */
export function fastifyPath(template: string): string {
  return template
    .replaceAll(':', '::')
    .replaceAll(/\{(\w+)\}(?=::)/g, ':$1([^:/]+)')
    .replaceAll(/\{(\w+)\}/g, ':$1');
}
