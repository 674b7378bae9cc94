/** A line of the command palette. */
export interface PaletteItem {
  readonly id: string;
  readonly group: 'pages' | 'actions' | 'cases' | 'texts';
  readonly icon: string;
  readonly title: string;
  readonly detail?: string;
  readonly keys?: string;
  run(): void;
}
