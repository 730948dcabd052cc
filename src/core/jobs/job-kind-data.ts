/**
 * An option of a job. The API uses the same name and the same values for the options that it
 * accepts.
 */
export type JobOption = ApiOption | CommandLineOption;

/** An option that the API accepts. `description` appears in the API's document. */
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
   * The users and programs that can start jobs of this kind:
   * - `editor`: users of the API with the role `editor` or a higher role.
   * - `server`: only the server itself.
   * - `command line`: only a command.
   */
  readonly startedBy: 'editor' | 'server' | 'command line';
  /** True if a schedule can start jobs of this kind. The schedule passes no options. */
  readonly isSchedulable: boolean;
  /**
   * True if jobs of this kind read the library roots. If all roots belong to other hosts, the
   * schedules of this host do not start the job.
   */
  readonly needsRoots: boolean;
  /**
   * Other kinds that exclude this kind. No job of these kinds begins while a job of this kind runs,
   * and the other way round.
   */
  readonly excludes?: readonly string[];
  /**
   * Describes how a job of this kind continues after its process died or its server stopped. Null
   * if it does not continue. Jobs of commands never continue, whatever their kind.
   */
  readonly resumption: null | {
    /**
     * The point from which the next attempt continues:
     * - `records`: the work finds in its own records what is done.
     * - `step`: at the last step that the work stored in the job's row.
     * - `start`: at the start.
     */
    readonly from: 'records' | 'step' | 'start';
    /**
     * The hosts that may run the next attempt, if several hosts share the files:
     * - `any host`.
     * - `own host`: the host where the job began, because the work uses files of that host.
     * - `host of the library`: the same, but only if the work reads the library and that host has
     *   library roots.
     */
    readonly by: 'any host' | 'own host' | 'host of the library';
  };
  readonly options: Readonly<Record<string, JobOption>>;
  /** The possible phases in the progress of jobs of this kind. */
  readonly phases: readonly string[];
  /**
   * The fields of the report. For each shortened list, the stored report has one more field, which
   * contains the number of all items.
   */
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
