/**
 * An attachment for a popover that closes it when the focus moves elsewhere, for example with Tab.
 */
export function closeOnLeave(menu: HTMLElement): () => void {
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || menu.contains(target)) return;
    // The popover's own button already closes it.
    const isButton = target.getAttribute('popovertarget') === menu.id;
    if (!isButton && menu.matches(':popover-open')) menu.hidePopover();
  };
  document.addEventListener('focusin', follow);
  return () => document.removeEventListener('focusin', follow);
}
