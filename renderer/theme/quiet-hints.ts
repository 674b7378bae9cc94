import { getCurrentInstance, isVNode, type VNode } from 'vue';
import { VInput } from 'vuetify/components/VInput';

type Render = (...args: unknown[]) => VNode;

/** What Vuetify's types leave out of a component: its set-up, and the rendering that it installs. */
interface Internals {
  setup: (props: unknown, context: unknown) => unknown;
}

let isDone = false;

/**
 * Vuetify gives the line under every field the role of an alert, so that a screen reader interrupts
 * for a hint. Only that of a field with an error has it from here on.
 */
export function quietHints(): void {
  if (isDone) return;
  isDone = true;
  const input = VInput as unknown as Internals;
  const { setup } = input;
  // Vue passes a context only to a set-up that names two parameters.
  input.setup = (props, context) => {
    const result = setup(props, context);
    // Vuetify's `useRender` has put it there; the type is that of Vue's own compiler.
    const instance = getCurrentInstance() as unknown as { render: Render };
    const { render } = instance;
    instance.render = (...given) => quiet(render(...given));
    return result;
  };
}

function quiet(field: VNode): VNode {
  const hasError = String(field.props?.['class'] ?? '').includes('v-input--error');
  if (hasError || !Array.isArray(field.children)) return field;
  for (const part of field.children)
    if (isVNode(part) && part.props?.['role'] === 'alert') delete part.props['role'];
  return field;
}
