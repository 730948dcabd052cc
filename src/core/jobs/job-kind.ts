import type { ApiOption, JobKindData, OptionValues, ReportValues } from './job-kind-data.ts';
import { jobKinds } from './job-kinds.ts';

export type JobKind = keyof typeof jobKinds;

/** A kind of job that users can start through the API. */
export type ApiJobKind = KindStartedBy<'editor'>;

/** A kind of job that a server can start, at a user's request or by itself. */
export type ServerJobKind = KindStartedBy<'editor' | 'server'>;

export type ScheduledJobKind = {
  [Kind in JobKind]: (typeof jobKinds)[Kind]['isSchedulable'] extends true ? Kind : never;
}[JobKind];

type KindStartedBy<Who extends JobKindData['startedBy']> = {
  [Kind in JobKind]: (typeof jobKinds)[Kind]['startedBy'] extends Who ? Kind : never;
}[JobKind];

/** The options of jobs of a kind, by name. */
export type JobOptionsOf<Kind extends JobKind> = Kind extends JobKind
  ? ValuesOf<(typeof jobKinds)[Kind]['options']>
  : never;

type ValuesOf<Options> = {
  readonly [Name in keyof Options as Options[Name] extends RequiredOption ? Name : never]: ValueOf<
    Options[Name]
  >;
} & {
  readonly [Name in keyof Options as Options[Name] extends RequiredOption ? never : Name]?:
    | ValueOf<Options[Name]>
    | undefined;
};

interface RequiredOption {
  readonly isRequired: true;
}

type ValueOf<Option> = Option extends { readonly type: infer Type extends keyof OptionValues }
  ? OptionValues[Type]
  : never;

/** The phases of the progress of jobs of a kind. */
export type PhaseOf<Kind extends JobKind> = (typeof jobKinds)[Kind]['phases'][number];

/** The report of jobs of a kind, before its lists are shortened. */
export type JobReportOf<Kind extends JobKind> = Kind extends JobKind
  ? FieldsOf<(typeof jobKinds)[Kind]['report']>
  : never;

type FieldsOf<Report extends JobKindData['report']> = {
  readonly [Name in keyof Report]: ReportValues[Report[Name]];
};

/** The same table as `jobKinds`, with one type for all kinds. */
const kinds: Readonly<Record<JobKind, JobKindData>> = jobKinds;
const all = Object.keys(kinds) as JobKind[];

/** The kinds that users can start through the API. */
export const apiJobKinds: readonly ApiJobKind[] = all.filter(isApiJobKind);

/** The kinds that schedules can start. */
export const scheduledJobKinds: readonly ScheduledJobKind[] = all.filter(isScheduledJobKind);

/** Returns the options of a kind that the API accepts, by name. */
export function apiOptionsOf(kind: ApiJobKind): Readonly<Record<string, ApiOption>> {
  const options = Object.entries(kinds[kind].options);
  return Object.fromEntries(
    options.flatMap(([name, option]) => ('isCommandLineOnly' in option ? [] : [[name, option]])),
  );
}

/** Returns the names of the lists that are shortened in the stored reports of a kind. */
export function shortenedListsOf(kind: JobKind): string[] {
  const { report } = kinds[kind];
  return Object.keys(report).filter((name) => report[name] === 'shortened list');
}

/** Returns the other kinds whose jobs do not run while a job of this kind runs. */
export function kindsThatExclude(kind: string): readonly string[] {
  return isKind(kind) ? (kinds[kind].excludes ?? []) : [];
}

export function isApiJobKind(kind: string): kind is ApiJobKind {
  return isKind(kind) && kinds[kind].startedBy === 'editor';
}

export function isServerJobKind(kind: string): kind is ServerJobKind {
  return isKind(kind) && kinds[kind].startedBy !== 'command line';
}

export function isScheduledJobKind(kind: string): kind is ScheduledJobKind {
  return isKind(kind) && kinds[kind].isSchedulable;
}

function isKind(kind: string): kind is JobKind {
  return Object.hasOwn(kinds, kind);
}
