import { preferences } from './preferences.svelte.ts';

/** What keys do, by their name: `x`, `X` (with Shift), `Escape`, `Ctrl+s`. */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const layers: Bindings[] = [];

/** Adds bindings until the returned function is called; later ones go before earlier ones. */
export function bindKeys(bindings: Bindings): () => void {
  layers.push(bindings);
  return () => void layers.splice(layers.indexOf(bindings), 1);
}

/**
 * Acts on a key anywhere in the document. A single character never acts in a field, nor when the user switched these
 * keys off (WCAG 2.1.4), and nothing acts behind an open dialog.
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

/** Whether typing goes into it. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  );
}
