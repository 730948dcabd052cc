import { preferences } from './preferences.svelte.ts';

/**
 * The functions that handle keys. The name of a key is, for example, `x`, `X` (with Shift),
 * `Escape` or `Ctrl+s`.
 */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const layers: Bindings[] = [];

/**
 * Adds bindings, and returns a function that removes the bindings. If several bindings handle the
 * same key, the binding that was added last is used.
 */
export function bindKeys(bindings: Bindings): () => void {
  layers.push(bindings);
  return () => void layers.splice(layers.indexOf(bindings), 1);
}

/**
 * Handles a key that was pressed anywhere in the document. Does nothing while a dialog is open.
 * Ignores single characters in input fields. Also ignores single characters if the user has
 * disabled single-key shortcuts (WCAG 2.1.4).
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

/**
 * Returns true if the element processes typed characters itself: an input, a text area, or a select
 * box.
 */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  );
}
