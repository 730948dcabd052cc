import type { Messages } from '../language/en.ts';

/** Returns the text for an action of the audit. An unknown action is returned unchanged. */
export function actionText(action: string, t: Messages): string {
  const names: Readonly<Record<string, string>> = t.views.actions;
  const [kind = '', what] = action.split('.');
  const job = t.jobs.kinds[kind];
  if (job !== undefined && what === 'start') return t.jobs.started(job);
  if (job !== undefined && what === 'stop') return t.jobs.endedNotice(job, t.jobs.states.stopped);
  return names[action] ?? action;
}

/** Returns the known actions, sorted by their texts. */
export function knownActions(t: Messages): string[] {
  const jobs = Object.keys(t.jobs.kinds).flatMap((kind) => [`${kind}.start`, `${kind}.stop`]);
  const all = [...Object.keys(t.views.actions), ...jobs];
  return all.toSorted((one, other) => actionText(one, t).localeCompare(actionText(other, t)));
}
