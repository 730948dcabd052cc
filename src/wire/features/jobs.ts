import { maxAttempts } from '../../core/jobs/attempts.ts';
import { BackgroundJobs, type ServerJobRequest } from '../../core/jobs/background-jobs.ts';
import type { JobKindData } from '../../core/jobs/job-kind-data.ts';
import { jobKinds } from '../../core/jobs/job-kinds.ts';
import { Jobs } from '../../core/jobs/jobs.ts';
import type { Attempts } from '../../core/jobs/ports.ts';
import { Schedules } from '../../core/jobs/schedules.ts';
import type { LibraryRoot } from '../../core/library/library-file.ts';
import { digestOf } from '../../core/library/roots-digest.ts';
import { AutomaticScans } from '../../core/library/scan/automatic-scans.ts';
import { ChildProcesses } from '../../processes/child-processes.ts';
import { type Config, environmentFor } from '../../settings/config.ts';
import { SqlJobRecords } from '../../sql/jobs/job-records.ts';
import { SqlScheduleRecords } from '../../sql/jobs/schedule-records.ts';
import { sqlAutomaticChecks } from '../../sql/library/automatic-checks.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../resource-stack.ts';

/** The kinds of jobs that import DATs. */
const importKinds = ['import', 'fetch-catalogue'] as const;

/** Maximum time for running jobs to finish when the server closes, in milliseconds. */
const jobStopTimeoutMs = 10_000;

/** Opens the jobs, the processes that run them, and their schedules. */
export function openJobs(
  base: BaseServices,
  services: Pick<Catalog, 'library' | 'libraryRoots' | 'scanner' | 'targets'>,
): Pick<Catalog, 'jobs' | 'backgroundJobs' | 'schedules' | 'automaticScans'> {
  const { library, libraryRoots, scanner } = services;
  const { config, log, options, engine, clock, leases, host, ownership, parts } = base;
  const jobs = new Jobs({ ...ownership, host, records: new SqlJobRecords({ engine, clock }) });
  const backgroundJobs = parts.track(
    new BackgroundJobs({
      jobs,
      processes: new ChildProcesses({
        program: options.jobProgram,
        args: jobArguments(config, libraryRoots),
        env: environmentFor(config),
        onOutput: (job, said) => log.warn({ job, said }, 'a job failed'),
      }),
      attemptsOf: (request) => attemptsOf(request, base, services),
      onFailure: (error) =>
        log.warn({ err: error }, 'could not check the jobs: trying again in a few seconds'),
      onNextAttempt: ({ id, kind, attempt, attempts, reason }) => {
        if (reason === null) return; // another server accepted it: this is its first attempt
        log.warn({ job: id, kind, attempt, attempts }, 'an interrupted job goes on');
      },
    }),
    (it) => it.close(jobStopTimeoutMs),
  );
  const schedules = new Schedules({
    records: new SqlScheduleRecords({ engine, clock }),
    jobs: backgroundJobs,
    clock,
    isOnOtherHosts: async (kind) => jobKinds[kind].needsRoots && (await library.isOnOtherHosts()),
    onFailure: (kind, error) => log.warn({ err: error, kind }, 'could not start a scheduled job'),
  });
  const name = digestOf(libraryRoots, host);
  const automaticScans = new AutomaticScans({
    scanner,
    roots: () => library.allRoots(),
    everyMs: config.scanEvery,
    checks: sqlAutomaticChecks({ engine, name }),
    leases,
    name,
    clock,
    jobs: {
      start: () =>
        backgroundJobs.start({
          kind: 'scan',
          options: { automatic: true },
          actor: { kind: 'system' },
        }),
      failedAt: (job) => jobs.failedAt(job),
      isImporting: () => jobs.isAnyUnended(importKinds),
      importEndedAt: () => jobs.lastEndedAt(importKinds),
    },
    onFailure: (error) => log.warn({ err: error }, 'could not look for new library files'),
  });
  return {
    jobs,
    backgroundJobs,
    schedules: parts.track(schedules, close),
    automaticScans: parts.track(automaticScans, close),
  };
}

/**
 * Returns how often a job may be attempted, and on which host. A job for a target runs on a host
 * that has the target.
 */
async function attemptsOf(
  { kind, options }: ServerJobRequest,
  { config, host }: Pick<BaseServices, 'config' | 'host'>,
  { library, targets }: Pick<Catalog, 'library' | 'targets'>,
): Promise<Attempts> {
  const { resumption }: JobKindData = jobKinds[kind];
  if (resumption === null) return { attempts: 1, host: '', yieldsToQueued: true };
  const { target } = options;
  const targetHost = typeof target === 'string' ? await targets.hostOf(target) : null;
  if (targetHost !== null && targetHost !== host) {
    return { attempts: maxAttempts, host: targetHost, yieldsToQueued: true, isElsewhere: true };
  }
  const isBound =
    resumption.by === 'own host' ||
    config.files === '' || // the files are in the data folder of this host
    (resumption.by === 'host of the library' &&
      readsLibrary(options) &&
      (await library.hasRootsOnThisHost()));
  return { attempts: maxAttempts, host: isBound ? host : '', yieldsToQueued: true };
}

/** Returns true unless the options of a verification leave the library out. */
function readsLibrary({ store, covers, library }: ServerJobRequest['options']): boolean {
  return library === true || (store !== true && covers !== true);
}

/** Returns the options with which `catalog job` opens the same catalogue. */
function jobArguments(config: Config, roots: readonly LibraryRoot[]): string[] {
  const { data, files, coverSource, catalogueSource, backupTo, backupKeep, targets } = config;
  const named = roots.flatMap(({ path, system }) => [`--${system}-root`, path]);
  const backup = backupTo === '' ? [] : ['--backup-to', backupTo, '--backup-keep', `${backupKeep}`];
  const sources = [`--cover-source=${coverSource}`, `--catalogue-source=${catalogueSource}`];
  const places = targets.flatMap(({ name, folder }) => ['--target', `${name}=${folder}`]);
  return ['--data', data, `--files=${files}`, ...sources, ...backup, ...named, ...places];
}
