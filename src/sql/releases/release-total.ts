import type { Engine } from '../engine/engine.ts';

/**
 * Counts all releases. The number is cached until the next import, because only imports add or
 * remove releases.
 */
export class ReleaseTotal {
  readonly #engine: Engine;
  #known: { readonly version: number; readonly total: number } | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async read(): Promise<number> {
    const { read } = this.#engine;
    const now = await read
      .selectFrom('import_version')
      .select('number as version')
      .executeTakeFirstOrThrow();
    if (this.#known?.version === now.version) return this.#known.total;
    // Reads the version and the number in one statement, so that no import can end between two
    // reads.
    this.#known = await read
      .selectFrom('import_version')
      .select('number as version')
      .select((from) =>
        from
          .selectFrom('listed_release')
          .select(read.fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('total'),
      )
      .executeTakeFirstOrThrow();
    return this.#known.total;
  }
}
