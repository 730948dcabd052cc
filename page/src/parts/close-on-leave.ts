/**
 * A Svelte attachment for a popover. Closes the popover when the focus moves outside, for example
 * with Tab.
 */
export function closeOnLeave(menu: HTMLElement): () => void {
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || menu.contains(target)) return;
    // The popover's own button already closes the popover. If this handler closed the popover
    // first, the button would reopen it.
    const isButton = target.getAttribute('popovertarget') === menu.id;
    if (!isButton && menu.matches(':popover-open')) menu.hidePopover();
  };
  document.addEventListener('focusin', follow);
  return () => document.removeEventListener('focusin', follow);
}
