import type { AuditEntry } from '../api/reports.ts';
import { audit as german } from '../language/de/audit.ts';
import { audit as english } from '../language/en/audit.ts';
import type { Messages } from '../language/en.ts';
import type { language } from '../language/language.svelte.ts';

/**
 * The sentences by language. They are not part of `Messages`, so that the first view does not load
 * them.
 */
const audits: Readonly<Record<Messages['code'], typeof english>> = { en: english, de: german };

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

/** A part of a sentence: plain text, or the text of a link to the user or to the target. */
export interface SentencePart {
  readonly kind: 'plain' | 'who' | 'target';
  readonly text: string;
}

/** Returns an entry of the audit as a sentence. The sentence of an unknown action is its name. */
export function auditSentence(
  { action, username, kind, target }: Pick<AuditEntry, 'action' | 'username' | 'kind' | 'target'>,
  t: Messages,
): SentencePart[] {
  const byUser = kind === 'cli' ? t.views.commandLine(username ?? '') : username;
  const texts: Readonly<Record<string, string>> = {
    who: byUser ?? audits[t.code].server,
    target: audits[t.code].within(targetText(target, t)),
  };
  return templateOf(action, t)
    .split(/(\{who\}|\{target\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = part.slice(1, -1);
      return part.startsWith('{')
        ? { kind: name as SentencePart['kind'], text: texts[name] ?? '' }
        : { kind: 'plain', text: part };
    });
}

function templateOf(action: string, t: Messages): string {
  const plain: Readonly<Record<string, string>> = audits[t.code].sentences;
  const known = plain[action];
  if (known !== undefined) return known;
  const dot = action.lastIndexOf('.');
  const kinds: Readonly<Record<string, string>> = t.jobs.kinds;
  const ends: Readonly<Record<string, (kind: string) => string>> = audits[t.code].jobSentences;
  const [kind, end] = [kinds[action.slice(0, dot)], ends[action.slice(dot + 1)]];
  return kind === undefined || end === undefined ? `{who}: ${action} {target}` : end(kind);
}

/** The functions that format values in the language of the page. */
type Formats = Pick<typeof language, 'size' | 'minute' | 'number'>;

/**
 * Returns the details of an action as text. Leaves out values without information: zero, false,
 * null and empty texts.
 */
export function detailText(
  detail: Readonly<Record<string, unknown>> | null,
  t: Messages,
  formats: Formats,
): string {
  return entriesText(detail ?? {}, t, formats).join(' · ');
}

function entriesText(detail: object, t: Messages, formats: Formats): string[] {
  return Object.entries(detail)
    .filter(([, value]) => isInformative(value))
    .map(([name, value]) => `${nameOf(name, t)}: ${valueText(name, value, t, formats)}`);
}

function nameOf(name: string, t: Messages): string {
  const known: readonly Readonly<Record<string, string>>[] = [
    audits[t.code].details,
    t.fields,
    t.imports.counts,
    t.jobs.options,
  ];
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return known.map((names) => names[name] ?? names[snake]).find((each) => each) ?? name;
}

function valueText(name: string, value: unknown, t: Messages, formats: Formats): string {
  if (value === true) return audits[t.code].yes;
  if (Array.isArray(value))
    return value
      .map((each) => (typeof each === 'string' ? nameOf(each, t) : String(each)))
      .join(', ');
  if (typeof value === 'object' && value !== null) return entriesText(value, t, formats).join(', ');
  if (typeof value === 'number')
    return name === 'size' ? formats.size(value) : formats.number(value);
  if (name === 'expiresAt' || name === 'last_at') return formats.minute(String(value));
  return String(value);
}

function isInformative(value: unknown): boolean {
  return value !== 0 && value !== false && value !== null && value !== '';
}
