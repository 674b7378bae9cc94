import type { Mark } from '#shared/photos/edit.ts';
import type { MarkTool } from '../../../lib/photos/mark-canvas.ts';

/** What the user has chosen to mark photos with. */
export interface MarkChoice {
  readonly tool: MarkTool;
  readonly colour: Mark['colour'];
  readonly width: number;
}
