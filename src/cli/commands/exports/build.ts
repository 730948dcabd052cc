import type { Command } from 'commander';
import type { BuildProgress, BuildReport } from '../../../core/builds/build-report.ts';
import type { BuildRequest } from '../../../core/builds/builds.ts';
import { type BuildMode, buildModes } from '../../../core/builds/ports.ts';
import { usageError } from '../../../core/shared/errors.ts';
import type { Catalog } from '../../../wire/catalog.ts';
import { withCatalog, withData, withSettings } from '../../options.ts';
import { printJson } from '../../output/output.ts';
import { ProgressDisplay } from '../../output/progress-display.ts';
import type { ProgressView } from '../../output/progress-line.ts';
import { withStopSignals } from '../../with-stop-signals.ts';
import { getNamed } from '../sets.ts';
import { buildJson, printBuild, printUndo } from './describe-build.ts';
import { profileNamed } from './export.ts';

interface BuildFlags {
  readonly profile?: string;
  readonly to: string;
  readonly mode?: string;
  readonly dryRun?: boolean;
  readonly verify?: true;
  readonly undo?: true;
  readonly unpack?: true;
  readonly adopt?: true;
  readonly json?: boolean;
}

const stopMessage = 'stopped; all files in the folder are whole: run it again to continue';

/** Adds `catalog build`: puts the games of a set into a folder, as a device expects them. */
export function addBuild(program: Command): void {
  withSettings(withData(program.command('build')), 'gamesRoots', 'videosRoots')
    .description('put the games of a set into a folder, as a device expects them; can be undone')
    .argument('[set]', 'id or name of a set; not with --undo')
    .option('--profile <id>', 'the device; "catalog profiles" lists them')
    .requiredOption('--to <dir>', 'the folder, which is created if it is missing')
    .option(
      '--mode <mode>',
      'auto (share blocks if the file system can, else copy), reflink, hardlink or copy',
    )
    .option('--unpack', 'take images out of archives that the device cannot read')
    .option('--dry-run', 'only show what would be done, and write nothing')
    .option('--verify', 'compare each game with the library after it was written')
    .option('--undo', 'remove what the builds in the folder made')
    .option('--adopt', 'build in a folder with other files, which stay as they are')
    .option('--json', 'print the report as JSON')
    .action((named: string | undefined, flags: BuildFlags, command: Command) => {
      const mode = modeOf(flags.mode ?? 'auto');
      return withCatalog(command, (catalog) =>
        flags.undo ? undo(catalog, named, flags) : build(catalog, named, { ...flags, mode }),
      );
    });
}

async function build(
  catalog: Catalog,
  named: string | undefined,
  { mode, json: isJson = false, ...flags }: Omit<BuildFlags, 'mode'> & { mode: BuildMode },
): Promise<void> {
  const { releases, sets, exports, builds } = catalog;
  if (named === undefined) throw usageError('missing argument "set": name a set, or use --undo');
  if (flags.profile === undefined) throw usageError('--profile is missing: name a device');
  const { id: profile } = profileNamed(flags.profile, catalog);
  const { id, name } = await getNamed(catalog, named);
  const set = releases.openSet(name, await sets.select(`${id}`, 'everybody'));
  const request: BuildRequest = {
    set: { id, name },
    ...{ profile, mode, target: flags.to },
    readTree: (options) => exports.tree({ set, unpacks: flags.unpack ?? false, ...options }),
    countMissing: () => set.countMissing(),
    isAdopted: flags.adopt ?? false,
    isVerified: flags.verify ?? false,
  };
  const report = await shown(isJson, (watch) =>
    flags.dryRun ? builds.preview(request, watch) : builds.build(request, watch),
  );
  if (isJson) printJson(buildJson(report, flags));
  else printBuild(report, flags);
  if (hasProblems(report)) process.exitCode = 1;
}

async function undo(
  { builds }: Catalog,
  named: string | undefined,
  { to, dryRun: isPreview = false, json: isJson = false, profile }: BuildFlags,
): Promise<void> {
  if (named !== undefined || profile !== undefined) {
    throw usageError('--undo removes all that was built in the folder: name no set and no profile');
  }
  const report = await shown(isJson, (watch) => builds.undo(to, { ...watch, isPreview }));
  if (isJson) printJson({ ...report, dry_run: isPreview });
  else printUndo(report, { isPreview });
  if (report.left.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
}

/** Runs work that a signal can stop, and shows its progress. */
function shown<T>(
  isSilent: boolean,
  work: (watch: {
    signal: AbortSignal;
    onProgress: (progress: BuildProgress) => void;
  }) => Promise<T>,
): Promise<T> {
  const display = new ProgressDisplay({ isSilent, firstLineMs: 10_000 });
  const onProgress = (progress: BuildProgress) => display.update(view(progress));
  return withStopSignals(stopMessage, (signal) => work({ signal, onProgress })).finally(() =>
    display.clear(),
  );
}

function view({ phase, files, totalFiles, bytes, totalBytes, path }: BuildProgress): ProgressView {
  const counts = [`file ${Math.min(files + 1, totalFiles)} of ${totalFiles}`] as const;
  if (totalBytes === 0) return { phase, done: files, total: totalFiles, counts, name: path };
  return { phase, done: bytes, total: totalBytes, areBytes: true, counts, name: path };
}

function modeOf(text: string): BuildMode {
  const mode = buildModes.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw usageError(`--mode: "${text}" is not a mode; use ${buildModes.join(', ')}`);
}

function hasProblems({ problems, lackingBytes }: BuildReport): boolean {
  return problems.length > 0 || lackingBytes > 0;
}
