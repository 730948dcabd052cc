import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedDats } from '../bench/dats.ts';
import { timedImport } from '../bench/import-rows.ts';
import { runCatalog, type Server, startServer } from '../bench/work.ts';

/** What one measurement of a check works with. */
export interface Trial {
  /** Whether the fault of the control is there. */
  readonly isControl: boolean;
  /** An empty folder of its own. */
  readonly folder: string;
  /** Runs the product, with the fault where this is the control, on loopback and a free port; to be stopped by the check. */
  startServer(
    data: string,
    options?: readonly string[],
    env?: Readonly<Record<string, string>>,
    log?: string,
  ): Promise<Server>;
  /** Runs a command of the same product to its end; returns its standard output. */
  run(args: readonly string[]): Promise<string>;
  /** The data folder of a catalogue of some 200,000 releases, which other checks use too: nothing of it may change. */
  largeCatalogue(): Promise<string>;
  /** What chance begins with; the same at every run with `--seed`. */
  readonly seed: number;
  /** How long a soak goes on in all, both times: `--minutes`. */
  readonly minutes: number;
}

/** One trial of one check; `program` is the `src/main.ts` that it runs. */
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

/** Imports the DATs, or generated ones, once, when the first check asks for it. */
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
