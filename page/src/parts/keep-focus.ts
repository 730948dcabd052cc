const stops = [
  ':is(h1, h2)[tabindex]',
  ':is(a[href], button, input, select, textarea, summary):not(:disabled, [tabindex="-1"])',
].join();

/** Where an element stands in the document: what takes its place can be found once it is gone. */
export class FocusPlace {
  readonly element: HTMLElement;
  /** The element and what it lies in, from inside out, each with what came before it. */
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
   * What is to have the focus here: the element, or where it is gone what follows it, else what precedes it, else the
   * first in what it lay in. Null while the element cannot have it, and when nothing around it is left.
   */
  now(): HTMLElement | null {
    if (this.element.isConnected) return isStop(this.element) ? this.element : null;
    const levels = this.#chain.filter(({ parent }) => parent.isConnected);
    for (const { before, parent } of levels) {
      const isThere = before?.parentElement === parent;
      const next = isThere ? before.nextElementSibling : before ? null : parent.firstElementChild;
      const found =
        stopsOf(next)[0] ??
        // of rows the start, of all else what is nearest
        (isThere ? stopsOf(before).at(before.matches('tr, li') ? 0 : -1) : undefined) ??
        stopsOf(parent)[0];
      if (found) return found;
    }
    return null;
  }
}

/**
 * Nobody is thrown to the start of the page: when what has the focus goes away, its neighbour gets it, and a button that
 * could not be pressed for a while has it again afterwards. Parts that know better move the focus themselves, at once.
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
    // later: some browsers tell it before they remove an element, others not at all
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
