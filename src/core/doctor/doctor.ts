import { type Finding, fine, warning, wrong } from './finding.ts';
import type {
  DatabaseFacts,
  DoctorEnvironment,
  ExaminedSettings,
  ProbeResponse,
  WrittenFolder,
} from './ports.ts';

const gib = 2 ** 30;
const fewFiles = 1_000;
/**
 * Maximum tolerated difference between clocks, in milliseconds. Larger differences make request
 * signatures and expiry times fail.
 */
const maxSkewMs = 5 * 60_000;
const maxFileSkewMs = 5_000;
/**
 * Minimum number of logins for a finding about their IP addresses. With fewer logins, equal
 * addresses may be a coincidence.
 */
const someLogins = 5;
/**
 * For each release line of Node, the first version with a fixed Brotli decoder (CVE-2026-111497).
 */
const mended: readonly (readonly number[])[] = [
  [22, 23, 4],
  [24, 22, 1],
  [26, 12, 1],
];

/**
 * Checks everything that an installation needs, and yields a finding for each check. Changes
 * nothing.
 */
export async function* examine(
  settings: ExaminedSettings,
  around: DoctorEnvironment,
): AsyncGenerator<Finding> {
  yield checkNode(around.node);
  const data = await around.inspectData();
  yield* checkData(settings.data, data);
  if (settings.files !== '') yield await checkFiles(settings.files, around);
  const database = await around.inspectDatabase();
  yield settings.database === ''
    ? checkDatabase(settings.data, '--data', database)
    : checkDatabase('the database of --database', '--database', database);
  const facts = typeof database === 'object' ? database : null;
  yield* checkRoots(settings, facts, around);
  const source =
    settings.coverSource === '' ? null : await around.probeServer(settings.coverSource);
  yield checkCoverSource(settings.coverSource, source);
  yield* checkClock(around.now(), { data, facts, source });
  yield* checkProxy(settings, facts, around);
  if (settings.backupTo !== '') yield await checkBackups(settings.backupTo, around);
}

function checkNode(version: string): Finding {
  const parts = version.split('.').map(Number);
  const line = mended.find(([major]) => major === parts[0]);
  if (line === undefined || compare(parts, line) >= 0) return fine('node', `Node ${version}`);
  return warning(
    'node',
    `Node ${version} has a defect in its Brotli decoder, which Catalog does not use`,
    `update it to ${line.join('.')} or later`,
  );
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = other.findIndex((part, index) => part !== one[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function* checkData(path: string, folder: WrittenFolder): Generator<Finding> {
  const { problem, doubt, freeBytes, freeFiles } = folder;
  if (problem !== null) {
    const advice =
      'make the user that runs Catalog its owner, mount its disk for writing, or choose another folder with --data';
    return yield wrong('data', `the data folder ${path} cannot be used: ${problem}`, advice);
  }
  if (doubt !== null) yield warning('data', doubt, 'move the data folder to a local disk');
  const free = `${(freeBytes / gib).toFixed(1)} GiB`;
  if (freeBytes < gib) {
    yield warning(
      'data',
      `only ${free} are free in ${path}`,
      'free some space before uploads and imports fail',
    );
  } else if (freeFiles !== null && freeFiles < fewFiles) {
    const says = `only ${freeFiles} more files can be created in ${path}`;
    yield warning('data', says, 'remove files there: the file system is running out of inodes');
  } else {
    yield fine('data', `${path} is writable, ${free} are free`);
  }
}

async function checkFiles(address: string, around: DoctorEnvironment): Promise<Finding> {
  const problem = await around.inspectFiles();
  if (problem === null) return fine('files', `${address} is writable`);
  const advice =
    'check --files, CATALOG_S3_ENDPOINT and the keys, and that the keys may write there';
  return wrong('files', problem, advice);
}

function checkDatabase(
  place: string,
  option: '--data' | '--database',
  database: DatabaseFacts | string | null,
): Finding {
  if (database === null) {
    const advice = `check ${option}, or create one with "catalog serve" or "catalog import"`;
    return wrong('database', `there is no catalogue in ${place}`, advice);
  }
  if (typeof database === 'string') {
    const advice =
      option === '--data'
        ? 'restore a backup: docs/operating/recovery.md, "The database is gone"'
        : 'see docs/scaling.md for the requirements of the server';
    return wrong('database', database, advice);
  }
  const { version, knownVersion } = database;
  if (version === null) {
    const [what, other] =
      option === '--data' ? [`catalog.db in ${place}`, 'folder'] : [place, 'database'];
    const advice = `choose another ${other} with ${option}`;
    return wrong('database', `${what} is a database of another program`, advice);
  }
  if (version > knownVersion) {
    const says = `the database has version ${version}, this program supports up to ${knownVersion}`;
    return wrong(
      'database',
      says,
      'use a newer version of Catalog, or go back: docs/operating/recovery.md, "An upgrade failed"',
    );
  }
  if (version === knownVersion) return fine('database', `version ${version}`);
  return fine('database', `version ${version}; the next start upgrades it to ${knownVersion}`);
}

async function* checkRoots(
  { gamesRoots, videosRoots }: ExaminedSettings,
  facts: DatabaseFacts | null,
  around: DoctorEnvironment,
): AsyncGenerator<Finding> {
  const known = new Map(facts?.roots.map(({ path, files }) => [path, files]));
  for (const path of new Set([...gamesRoots, ...videosRoots, ...known.keys()])) {
    const files = known.get(path);
    const { problem, isEmpty } = await around.inspectRoot(path);
    const mount = 'check that its disk is mounted, also in the container if Catalog runs in one';
    if (problem !== null && files === undefined) {
      const advice = `${mount}, and that the user that runs Catalog may read it`;
      yield warning(
        'library',
        `the root ${path} was never scanned and cannot be read: ${problem}`,
        advice,
      );
    } else if (problem !== null) {
      const advice = `${mount}; "catalog scan --forget" removes what is gone for good`;
      yield wrong('library', `the root ${path} cannot be read: ${problem}`, advice);
    } else if (isEmpty && (files ?? 0) > 0) {
      const advice = `${mount}; "catalog scan --forget" removes what is gone for good`;
      yield wrong(
        'library',
        `the root ${path} is empty, although ${files} files are recorded below it`,
        advice,
      );
    } else {
      yield fine(
        'library',
        `${path}: ${files === undefined ? 'not scanned yet' : `${files} files`}`,
      );
    }
  }
}

function checkCoverSource(url: string, response: ProbeResponse | null): Finding {
  if (response === null) return fine('covers', 'no cover source is configured');
  const advice = 'check the network and --cover-source; an empty one turns it off';
  if (response.problem !== null) {
    return warning(
      'covers',
      `the cover source ${url} cannot be reached: ${response.problem}`,
      advice,
    );
  }
  if (response.status < 500) return fine('covers', `the cover source ${url} responds`);
  return warning('covers', `the cover source ${url} responds with ${response.status}`, advice);
}

function* checkClock(
  now: number,
  seen: { data: WrittenFolder; facts: DatabaseFacts | null; source: ProbeResponse | null },
): Generator<Finding> {
  const findings: Finding[] = [];
  const advice = 'set the clock, and keep it synchronised (NTP)';
  const newest = seen.facts?.newestRecord ?? null;
  if (newest !== null && newest > now + maxSkewMs) {
    const says = `the clock was set back: the newest record is of ${timeOf(newest)}`;
    findings.push(warning('clock', says, advice));
  }
  const date = seen.source?.date ?? null;
  if (date !== null && Math.abs(date - now) > maxSkewMs) {
    const says = `the clock says ${timeOf(now)}, the cover source ${timeOf(date)}`;
    findings.push(warning('clock', says, advice));
  }
  if (seen.data.problem === null && Math.abs(seen.data.clockAheadMs) > maxFileSkewMs) {
    const seconds = Math.round(seen.data.clockAheadMs / 1000);
    const says = `the clock of the data folder's file system is ${seconds} s ahead of the system's`;
    findings.push(warning('clock', says, 'move the data folder to a local disk'));
  }
  if (findings.length === 0) findings.push(fine('clock', timeOf(now)));
  yield* findings;
}

const timeOf = (ms: number) => new Date(ms).toISOString();

async function* checkProxy(
  { publicUrls, basePath, trustedProxies }: ExaminedSettings,
  facts: DatabaseFacts | null,
  around: DoctorEnvironment,
): AsyncGenerator<Finding> {
  for (const url of publicUrls) {
    const healthUrl = `${url}${basePath}/api/health`;
    const { problem, status, text } = await around.probeServer(healthUrl);
    if (problem !== null) {
      const advice = 'check the name, the proxy and its certificate, and that the server runs';
      yield wrong('proxy', `${healthUrl} cannot be reached: ${problem}`, advice);
    } else if (status === 421) {
      const advice = 'make the proxy forward the header Host unchanged';
      yield wrong('proxy', `${healthUrl}: the server receives another host name`, advice);
    } else if (status !== 200 || !text.includes('"status":"ok"')) {
      const advice = 'check that the proxy forwards to this server, with the same path';
      yield wrong('proxy', `${healthUrl} responds with ${status}, not as Catalog does`, advice);
    } else {
      yield fine('proxy', `${url}${basePath} responds`);
    }
  }
  const addresses = facts?.loginAddresses ?? [];
  const [first] = addresses;
  const areOne = addresses.length >= someLogins && addresses.every((each) => each === first);
  if (!areOne || first === undefined || !/^(127\.|::1$|::ffff:127\.)/.test(first)) return;
  const says = `the last ${addresses.length} logins came from ${first}: failed logins of all users count for one IP address`;
  const advice =
    trustedProxies.length === 0
      ? `if a proxy is in front of Catalog, set --trusted-proxy ${first}`
      : 'make the proxy set X-Forwarded-For, and set --trusted-proxy to its IP address';
  yield warning('proxy', says, advice);
}

async function checkBackups(folder: string, around: DoctorEnvironment): Promise<Finding> {
  const problem = await around.inspectBackups(folder);
  if (problem === null) return fine('backups', `${folder} can be written`);
  return wrong('backups', problem, 'mount its disk, or let the user that runs Catalog write there');
}
