import type { Messages } from '../language/en.ts';

/** Returns an action of the audit as words. An unknown action stays as it is. */
export function actionText(action: string, t: Messages): string {
  const plain: Readonly<Record<string, string>> = t.views.actions;
  if (plain[action] !== undefined) return plain[action];
  const dot = action.lastIndexOf('.');
  const kinds: Readonly<Record<string, string>> = t.jobs.kinds;
  const ends: Readonly<Record<string, (kind: string) => string>> = t.views.jobActions;
  const [kind, end] = [kinds[action.slice(0, dot)], ends[action.slice(dot + 1)]];
  return kind === undefined || end === undefined ? action : end(kind);
}

/** Returns the target of an action as words, such as `Release 12`. */
export function targetText(target: string, t: Messages): string {
  const slash = target.indexOf('/');
  const kinds: Readonly<Record<string, string>> = t.views.targets;
  const [kind, id] = [kinds[target.slice(0, slash)], target.slice(slash + 1)];
  return kind === undefined ? target : `${kind} ${id}`;
}

/**
 * Returns the details of an action as text. Values that say nothing are left out: zero, false, null
 * and empty texts.
 */
export function detailText(detail: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(detail ?? {})
    .filter(([, value]) => isTelling(value))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join(' · ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const telling = Object.entries(value).filter(([, each]) => isTelling(each));
  return JSON.stringify(Object.fromEntries(telling));
}

function isTelling(value: unknown): boolean {
  return value !== 0 && value !== false && value !== null && value !== '';
}
