import type { ThemeDefinition } from 'vuetify';
import { grounds } from '#shared/desk/setup/appearance.ts';

const variables = {
  'high-emphasis-opacity': 1,
  'medium-emphasis-opacity': 1,
  'disabled-opacity': 0.6,
};

/**
 * Colours are chosen so that text on surface, background and on its own 12 % tint reaches at least
 * 4.5:1 (WCAG 2.2, 1.4.3). `muted` is the colour of second texts, `line` of separators, `edge` of the
 * frames of fields and buttons, which reach 3:1 (1.4.11).
 */
const light: ThemeDefinition = {
  dark: false,
  colors: {
    background: grounds.light,
    surface: '#FFFFFF',
    'surface-light': '#EDF0F2',
    'surface-bright': '#FFFFFF',
    'surface-variant': '#2B353B',
    'on-surface-variant': '#F3F5F6',
    'on-background': '#172026',
    'on-surface': '#172026',
    primary: '#0F5873',
    muted: '#4E5C65',
    line: '#DCE2E6',
    edge: '#76828A',
    success: '#1B6438',
    warning: '#7D4600',
    error: '#A8201A',
  },
  variables: { ...variables, 'border-color': '#172026', 'border-opacity': 0.14 },
};

const dark: ThemeDefinition = {
  dark: true,
  colors: {
    background: grounds.dark,
    surface: '#182025',
    'surface-light': '#222C32',
    'surface-bright': '#26323A',
    'surface-variant': '#D9E1E6',
    'on-surface-variant': '#172026',
    'on-background': '#E4EAED',
    'on-surface': '#E4EAED',
    primary: '#83C9E4',
    muted: '#A9B6BE',
    line: '#2E3A42',
    edge: '#74828B',
    success: '#86D6A2',
    warning: '#F3BC6C',
    error: '#FFA79E',
  },
  variables: { ...variables, 'border-color': '#FFFFFF', 'border-opacity': 0.16 },
};

const contrast: ThemeDefinition = {
  dark: true,
  colors: {
    background: grounds.contrast,
    surface: '#000000',
    'surface-light': '#1A1A1A',
    'surface-bright': '#1A1A1A',
    'surface-variant': '#FFFFFF',
    'on-surface-variant': '#000000',
    'on-background': '#FFFFFF',
    'on-surface': '#FFFFFF',
    primary: '#7FE3FF',
    muted: '#F0F0F0',
    line: '#FFFFFF',
    edge: '#FFFFFF',
    success: '#8CFFB0',
    warning: '#FFD27A',
    error: '#FFB3AD',
  },
  variables: { ...variables, 'border-color': '#FFFFFF', 'border-opacity': 1 },
};

export const themes = { light, dark, contrast };
