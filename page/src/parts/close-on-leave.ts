/** An attachment for a popover: it closes when the focus goes elsewhere, as with the Tab key. */
export function closeOnLeave(menu: HTMLElement): () => void {
  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || menu.contains(target)) return;
    // Its own button closes it by itself.
    const isButton = target.getAttribute('popovertarget') === menu.id;
    if (!isButton && menu.matches(':popover-open')) menu.hidePopover();
  };
  document.addEventListener('focusin', follow);
  return () => document.removeEventListener('focusin', follow);
}
