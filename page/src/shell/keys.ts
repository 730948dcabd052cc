import { preferences } from './preferences.svelte.ts';

/** Key actions by key name: `x`, `X` (with Shift), `Escape`, `Ctrl+s`. */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const layers: Bindings[] = [];

/**
 * Adds bindings until the returned function is called. Later bindings take precedence over earlier
 * ones.
 */
export function bindKeys(bindings: Bindings): () => void {
  layers.push(bindings);
  return () => void layers.splice(layers.indexOf(bindings), 1);
}

/**
 * Handles a key pressed anywhere in the document. A single character has no effect in a field, or
 * if the user switched these keys off (WCAG 2.1.4). No key has an effect behind an open dialog.
 */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (!isCommand && event.key.length === 1 && (isField(event.target) || !preferences.singleKeys))
    return;
  if (document.querySelector('dialog[open]')) return;
  const name = isCommand ? `Ctrl+${event.key.toLowerCase()}` : event.key;
  const layer = layers.findLast((each) => name in each);
  layer?.[name]?.(event);
}

/** Returns whether the element accepts typing. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  );
}
