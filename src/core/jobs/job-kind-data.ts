/** An option of a job. Its name and its values are those of the API. */
export type JobOption = ApiOption | CommandLineOption;

/** An option that the API accepts. The text describes the option in the API's document. */
export type ApiOption = { readonly description: string; readonly isRequired?: true } & (
  | {
      readonly type: 'flag';
      /** True if the option is on by default. */
      readonly isOn?: true;
      readonly isAdminOnly?: true;
    }
  | { readonly type: 'text'; readonly pattern: string; readonly maxLength?: number }
  | { readonly type: 'number'; readonly minimum: number }
  | { readonly type: 'ids'; readonly maxItems: number }
);

interface CommandLineOption {
  readonly type: 'flag' | 'number' | 'texts';
  readonly isCommandLineOnly: true;
}

/** The data of one kind of job. */
export interface JobKindData {
  /**
   * Who can start jobs of this kind: users of the API from this role on, only the server itself, or
   * only a command.
   */
  readonly startedBy: 'editor' | 'server' | 'command line';
  /** True if a schedule can start such jobs, without options. */
  readonly isSchedulable: boolean;
  /**
   * True if such jobs read the library roots. If only other hosts have the roots, a schedule leaves
   * the job to them.
   */
  readonly needsRoots: boolean;
  readonly options: Readonly<Record<string, JobOption>>;
  /** The phases that the progress of such jobs can have. */
  readonly phases: readonly string[];
  /** The fields of the report. A shortened list comes with a field that counts all its items. */
  readonly report: Readonly<Record<string, keyof ReportValues>>;
}

/** The types of the fields of a report. */
export interface ReportValues {
  readonly number: number;
  readonly numbers: Readonly<Record<string, number>>;
  readonly flag: boolean;
  readonly text: string | null;
  readonly list: readonly object[];
  readonly 'shortened list': readonly object[];
}

/** The types of the options' values. */
export interface OptionValues {
  readonly flag: boolean;
  readonly text: string;
  readonly number: number;
  readonly ids: readonly number[];
  readonly texts: readonly string[];
}
