import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedDats } from '../bench/dats.ts';
import { timedImport } from '../bench/import-rows.ts';
import { runCatalog, type Server, startServer } from '../bench/work.ts';

/** Everything that one measurement of a check works with. */
export interface Trial {
  /** Whether the fault of the control is planted. */
  readonly isControl: boolean;
  /** An empty folder for this trial only. */
  readonly folder: string;
  /**
   * Starts the product on loopback and a free port, with the fault if this is the control. The
   * check must stop it.
   */
  startServer(
    data: string,
    options?: readonly string[],
    env?: Readonly<Record<string, string>>,
    log?: string,
  ): Promise<Server>;
  /** Runs a command of the same product to its end; returns its standard output. */
  run(args: readonly string[]): Promise<string>;
  /**
   * Returns the data folder of a catalogue of about 200,000 releases. Other checks use it too, so
   * it must not be changed.
   */
  largeCatalogue(): Promise<string>;
  /** Seed for random choices; `--seed` sets it. */
  readonly seed: number;
  /** Total duration of the soak's two runs, in minutes: `--minutes`. */
  readonly minutes: number;
}

/** Prepares one trial of a check. `program` is the `src/main.ts` to run. */
export async function newTrial(options: {
  isControl: boolean;
  folder: string;
  program: string;
  shared: Pick<Trial, 'largeCatalogue' | 'seed' | 'minutes'>;
}): Promise<Trial> {
  const { isControl, folder, program, shared } = options;
  await mkdir(folder, { recursive: true });
  return {
    isControl,
    folder,
    startServer: (data, more = [], env = {}, log) => startServer(data, more, program, env, log),
    run: (args) => runCatalog(args, program),
    ...shared,
  };
}

/** Returns a function that imports the DATs, or generated ones, on its first call only. */
export function largeCatalogue(folder: string, dats?: string): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= importAll(folder, dats);
    return made;
  };
}

async function importAll(folder: string, dats?: string): Promise<string> {
  const data = join(folder, 'large');
  const files =
    dats === undefined
      ? await generatedDats(join(folder, 'large-dats'), Array(10).fill(20_000))
      : [dats];
  await timedImport(files, data);
  return data;
}
