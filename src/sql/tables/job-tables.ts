import type { Generated } from 'kysely';

/** Jobs, schedules, targets of builds, the verification and leases. */
export interface JobTables {
  job: {
    id: Generated<number>;
    kind: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';
    owner: string;
    /** JSON of the Actor who started the job. */
    actor: string;
    /** JSON of JobOptions. */
    options: string;
    /** True if a user requested a stop. The job reads this value on each heartbeat. */
    stopping: boolean;
    started_at: string;
    heartbeat_at: string;
    finished_at: string | null;
    /** JSON of JobProgress. */
    progress: string | null;
    /** JSON. */
    report: string | null;
    attempt: Generated<number>;
    attempts: Generated<number>;
    /** Number of times that a process began the job. The number identifies a run of the job. */
    run: Generated<number>;
    /** The only host that may run the job; "" for any host. */
    host: Generated<string>;
    /** Earliest time of the next attempt, in milliseconds since 1970 by the database's clock. */
    due_at: number | null;
    /** JSON of the last step that the work completed. */
    step: string | null;
  };
  /**
   * At most one row: the current verification. Everything up to the position (`part`, `after`) has
   * been compared.
   */
  verification: {
    id: number;
    /** JSON. */
    parts: string;
    started_at: string;
    part: string;
    after: string;
    files: number;
    bytes: number;
  };
  /** A problem that the verification found. */
  verification_finding: {
    id: Generated<number>;
    part: string;
    kind: string;
    path: string;
    reason: string;
  };
  /**
   * Start times of automatic jobs, by kind. A kind whose schedule was never changed may have no
   * row.
   */
  schedule: {
    kind: string;
    is_on: boolean;
    /** 0 is Sunday; null means every day. */
    weekday: number | null;
    /** "HH:MM" by the server's clock. */
    time: string;
    /** Runs that were due up to this time were started or skipped. "" if no run was due yet. */
    counts_after: string;
  };
  /** A folder that jobs build trees in. Its name belongs to one host. */
  build_target: {
    name: string;
    /** The name of the host; "" if no other host can use the database. */
    host: string;
    /** When a server of the host was last seen, in milliseconds since 1970 by the database. */
    seen_at: number;
    /** JSON of LastBuild. */
    last_build: string | null;
  };
  /**
   * A lease on work that only one process at a time may do. The lease ends at `expires_at`, in
   * milliseconds since 1970 by the database's clock.
   */
  lease: { name: string; holder: string; expires_at: number };
}
