const focusableSelector = [
  ':is(h1, h2)[tabindex]',
  ':is(a[href], button, input, select, textarea, summary):not(:disabled, [tabindex="-1"])',
].join();

/**
 * Stores the position of an element in the document, so that a nearby control can get the focus if
 * the element is removed.
 */
export class FocusPosition {
  readonly element: HTMLElement;
  /** The parent and the previous sibling of the element, followed by those of each ancestor. */
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
   * Returns the element that should have the focus, or null if there is none. While the stored
   * element is in the document, the result is that element, or null if the element cannot be
   * focused. After its removal, the result is the next control, the previous control, or the first
   * control in the same container.
   */
  now(): HTMLElement | null {
    if (this.element.isConnected) return isFocusable(this.element) ? this.element : null;
    const levels = this.#chain.filter(({ parent }) => parent.isConnected);
    for (const { before, parent } of levels) {
      const isThere = before?.parentElement === parent;
      const next = isThere ? before.nextElementSibling : before ? null : parent.firstElementChild;
      const found =
        focusablesIn(next)[0] ??
        // If the previous sibling is a table row or list item, use its first control. Otherwise use
        // its last control, which is the nearest.
        (isThere ? focusablesIn(before).at(before.matches('tr, li') ? 0 : -1) : undefined) ??
        focusablesIn(parent)[0];
      if (found) return found;
    }
    return null;
  }
}

/**
 * Prevents the browser from moving the focus to the start of the page. If the focused element is
 * removed, a nearby control gets the focus. If a focused button is disabled, the button gets the
 * focus again when enabled. A component that knows a better target must move the focus immediately,
 * before this function does.
 */
export function keepFocus(main: HTMLElement): () => void {
  let last: FocusPosition | null = null;
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
    last = isKept && !target.closest('dialog') ? new FocusPosition(target, main) : null;
  };
  const went = ({ target }: Event) => {
    // Wait, because some browsers fire `focusout` before they remove the focused element. Only
    // afterwards can this code find out whether the user left the element.
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

function focusablesIn(part: Element | null): HTMLElement[] {
  if (part === null) return [];
  return [part, ...part.querySelectorAll(focusableSelector)].filter(isFocusable);
}

function isFocusable(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.matches(focusableSelector) &&
    element.checkVisibility()
  );
}
