import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDats } from '../measure/dats.ts';
import { runCatalog, type Server, startServer } from '../measure/program.ts';
import { timeImport } from '../measure/timed-import.ts';

/** The resources for one measurement of a check. */
export interface Trial {
  /** True in the control run, in which the fault is planted. */
  readonly isControl: boolean;
  /** An empty folder that only this trial uses. */
  readonly folder: string;
  /**
   * Starts the product on loopback and a free port. In the control run, the product has the fault.
   * The check must stop the server.
   */
  startServer(
    data: string,
    options?: readonly string[],
    env?: Readonly<Record<string, string>>,
    log?: string,
  ): Promise<Server>;
  /** Runs a command of the same product and waits for its end. Returns the standard output. */
  run(args: readonly string[]): Promise<string>;
  /**
   * Returns the data folder of a catalogue of about 200,000 releases. Checks share the catalogue
   * and must not change it.
   */
  largeCatalogue(): Promise<string>;
  /** Seed for random choices, set by `--seed`. */
  readonly seed: number;
  /** Total duration of the soak's two runs in minutes, set by `--minutes`. */
  readonly minutes: number;
}

/** Prepares one trial of a check. `program` is the path of the `src/main.ts` to run. */
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

/**
 * Returns a function that returns the data folder. On its first call, the function imports the DATs
 * below `dats`. Without `dats`, the function imports generated DATs.
 */
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
      ? await generateDats(join(folder, 'large-dats'), Array(10).fill(20_000))
      : [dats];
  await timeImport(files, data);
  return data;
}
