const controls = 'a[href], button:not(:disabled), summary, input, select';
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A Svelte attachment for a list whose children are entries, in one or more columns. The up and
 * down arrow keys move the focus to the same control of the entry above or below. Entries without
 * controls are skipped.
 */
export function arrowKeys(list: HTMLElement): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey, defaultPrevented } = event;
    const step = steps[key];
    if (step === undefined || ctrlKey || altKey || metaKey || defaultPrevented) return;
    if (!(target instanceof HTMLElement)) return;
    if (target.matches('input, select, textarea') || target.closest('[popover]')) return;
    const rows = [...list.children];
    const at = rows.findIndex((row) => row.contains(target));
    const by = step * columnsOf(rows);
    const own = [...(rows[at]?.querySelectorAll(controls) ?? [])].indexOf(target);
    for (let next = at + by; rows[next] !== undefined; next += by) {
      const there = rows[next]?.querySelectorAll<HTMLElement>(controls) ?? [];
      const control = there[Math.min(Math.max(own, 0), there.length - 1)];
      if (control === undefined) continue;
      event.preventDefault();
      control.focus();
      return;
    }
  };
  list.addEventListener('keydown', onKey);
  return () => list.removeEventListener('keydown', onKey);
}

/** Returns how many entries are side by side in the first line. */
function columnsOf(entries: readonly Element[]): number {
  const top = entries[0]?.getBoundingClientRect().top;
  const next = entries.findIndex((each) => each.getBoundingClientRect().top !== top);
  return Math.max(next, 1);
}
