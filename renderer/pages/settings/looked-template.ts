import type { AddedTemplate } from '#shared/desk/reports/templates.ts';

/** A file or a template that the user looks at, with its displayed name. */
export interface LookedTemplate extends AddedTemplate {
  readonly name: string;
}
