import { uptime } from 'node:os';
import { type Clock, systemClock } from '../core/shared/clock.ts';
import { type LeaseRecords, Leases } from '../core/shared/processes/leases.ts';
import type { OwnerStateOf } from '../core/shared/processes/owner-state.ts';
import { Presence } from '../core/shared/processes/presence.ts';
import { StallDetector } from '../core/shared/processes/stall-detector.ts';
import { ensureHost } from '../files/host.ts';
import { isAbandoned, ownerMark, processOf } from '../files/process-mark.ts';
import type { Config } from '../settings/config.ts';
import { DeferredWrites } from '../sql/engine/deferred-writes.ts';
import type { Engine } from '../sql/engine/engine.ts';
import { openDatabase, openPostgres } from '../sql/engine/open.ts';
import { PartRevisions } from '../sql/engine/part-revisions.ts';
import { SqlLeaseRecords } from '../sql/jobs/lease-records.ts';
import type { OpenOptions, WarningLog } from './catalog.ts';
import { type Folders, prepareFolders } from './folders.ts';
import { close, type ResourceStack } from './resource-stack.ts';

/** The inputs for opening the catalogue. */
export interface Start {
  readonly config: Config;
  readonly log: WarningLog;
  readonly options: OpenOptions;
  /** Each part that must be closed later is registered here as soon as the part is open. */
  readonly parts: ResourceStack;
}

/** The parts that most services use: the database, and the identity of this process. */
export interface BaseServices extends Start {
  readonly folders: Folders;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly revisions: PartRevisions;
  /** Deferred writes. They are flushed before the database is closed. */
  readonly deferredWrites: DeferredWrites;
  readonly leases: Leases;
  /** Name of this host, or '' if no other host can use the database. */
  readonly host: string;
  /** Identifies this process as the owner of unfinished work. */
  readonly ownership: {
    readonly clock: Clock;
    readonly owner: string;
    readonly ownerState: OwnerStateOf;
    readonly elapsed: () => number;
  };
}

/** Prepares the data folder and opens the database. */
export async function openBase(start: Start): Promise<BaseServices> {
  const { config, log, parts } = start;
  const isServer = config.database !== '';
  const clock = systemClock;
  const folders = await prepareFolders(start);
  // Only one host uses a database file in the data folder, so the host needs no name.
  const host = isServer ? await ensureHost(config.data) : '';
  const engine = parts.track(await openEngine(start, folders), close);
  const owner = ownerMark();
  const records = new SqlLeaseRecords({
    engine,
    // With a database server, the holder's process may run on another machine. Then only the age of
    // its lease shows that the process is dead.
    isDead: (holder) => !isServer && isAbandoned(holder, Date.now()),
  });
  const presence = isServer
    ? parts.track(new Presence({ records, process: processOf(owner) }), (it) => it.end())
    : null;
  await presence?.begin();
  const leases = openLeases(start, records);
  const onLoss = (count: number, error: unknown) =>
    log.warn({ err: error, count }, 'lost records of token uses, downloads or failed logins');
  const deferredWrites = parts.track(new DeferredWrites(engine, onLoss), close);
  const ownerState: OwnerStateOf = async (of) => {
    if (presence !== null) return presence.stateOf(processOf(of));
    return isAbandoned(of, Date.now()) ? 'ended' : 'unknown';
  };
  return {
    ...start,
    folders,
    clock,
    engine,
    revisions: new PartRevisions(engine),
    deferredWrites,
    leases,
    host,
    ownership: { clock, owner, ownerState, elapsed },
  };
}

/**
 * Returns a time in milliseconds that never decreases. Unlike Node's monotonic clock, it also
 * advances while this machine sleeps, like the clock of a database server.
 */
const elapsed = () => uptime() * 1_000;

/** Opens the leases, which are given up if this process did not run for a while. */
function openLeases({ log, parts }: Start, records: LeaseRecords): Leases {
  const leases = new Leases({ records, newHolder: ownerMark, clock: { monotonic: elapsed } });
  const stallDetector = new StallDetector({
    elapsed,
    onStall(ms) {
      const seconds = Math.round(ms / 1_000);
      log.warn(
        { seconds },
        'this process stood still: gave up its leases, others may have its work',
      );
      void leases.giveUpAll();
    },
  });
  stallDetector.begin();
  return parts.track(leases, () => stallDetector.end());
}

const waitMessages = {
  starting: 'the database server is starting: waiting for it',
  full: 'the database server has no room for another connection: waiting for it',
};

function openEngine({ config, log, options }: Start, { databaseFile }: Folders): Promise<Engine> {
  const { mustExist = false, mustBeCurrent = false, readers } = options;
  if (config.database === '') {
    return openDatabase(databaseFile, { mustBeCurrent, ...(readers !== undefined && { readers }) });
  }
  return openPostgres(config.database, {
    connections: config.databaseConnections,
    mustExist,
    mustBeCurrent,
    onWait: (reason) => log.warn({}, waitMessages[reason]),
  });
}
