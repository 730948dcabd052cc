const stops = [
  ':is(h1, h2)[tabindex]',
  ':is(a[href], button, input, select, textarea, summary):not(:disabled, [tabindex="-1"])',
].join();

/** The position of an element in the document. It finds a replacement once the element is gone. */
export class FocusPlace {
  readonly element: HTMLElement;
  /**
   * The element and its ancestors, innermost first: the parent of each, and the sibling before it.
   */
  readonly #chain: readonly { readonly before: Element | null; readonly parent: Element }[];

  constructor(element: HTMLElement, within: Element) {
    this.element = element;
    const chain = [];
    for (let each: Element = element; each !== within && each.parentElement !== within; ) {
      const parent: Element | null = each.parentElement;
      if (parent === null) break;
      chain.push({ before: each.previousElementSibling, parent });
      each = parent;
    }
    this.#chain = chain;
  }

  /**
   * Returns the element that should have the focus: this one while it exists. Otherwise it is the
   * next element, the one before, or the first in its container. Returns null if the element exists
   * but cannot be focused, or if nothing around it is left.
   */
  now(): HTMLElement | null {
    if (this.element.isConnected) return isStop(this.element) ? this.element : null;
    const levels = this.#chain.filter(({ parent }) => parent.isConnected);
    for (const { before, parent } of levels) {
      const isThere = before?.parentElement === parent;
      const next = isThere ? before.nextElementSibling : before ? null : parent.firstElementChild;
      const found =
        stopsOf(next)[0] ??
        // In rows take the first control, elsewhere the nearest.
        (isThere ? stopsOf(before).at(before.matches('tr, li') ? 0 : -1) : undefined) ??
        stopsOf(parent)[0];
      if (found) return found;
    }
    return null;
  }
}

/**
 * Keeps the focus from falling back to the start of the page. If the focused element is removed,
 * its neighbour gets the focus. A button that was disabled for a while gets it back. Components
 * that know a better target move the focus themselves, immediately.
 */
export function keepFocus(main: HTMLElement): () => void {
  let last: FocusPlace | null = null;
  const isLost = () =>
    document.activeElement === document.body && !document.querySelector('dialog[open]');
  const restore = () => {
    if (isLost()) last?.now()?.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(() => {
    if (last !== null && isLost()) setTimeout(restore);
  });
  const came = ({ target }: Event) => {
    const isKept = target instanceof HTMLElement && main.contains(target) && target !== main;
    last = isKept && !target.closest('dialog') ? new FocusPlace(target, main) : null;
  };
  const went = ({ target }: Event) => {
    // Deferred, because some browsers fire this before they remove an element, others not at all.
    setTimeout(() => {
      const isLeft = document.activeElement !== target && last?.element === target;
      if (isLeft && last?.now() === target) last = null;
    });
  };
  const pressed = () => {
    if (isLost()) last = null;
  };
  document.addEventListener('focusin', came);
  document.addEventListener('focusout', went);
  document.addEventListener('pointerdown', pressed);
  watch.observe(main, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    watch.disconnect();
    document.removeEventListener('focusin', came);
    document.removeEventListener('focusout', went);
    document.removeEventListener('pointerdown', pressed);
  };
}

function stopsOf(part: Element | null): HTMLElement[] {
  if (part === null) return [];
  return [part, ...part.querySelectorAll(stops)].filter(isStop);
}

function isStop(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.matches(stops) && element.checkVisibility();
}
