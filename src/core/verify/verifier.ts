import type { Clock } from '../shared/clock.ts';
import { Throttle } from '../shared/concurrency/throttle.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import type { FilePart, VerifiedLibrary, VerifyRecords } from './ports.ts';
import type { VerifyOptions, VerifyPart, VerifyReport } from './verification.ts';
import { verifyParts } from './verification.ts';
import { verifyFiles } from './verify-files.ts';
import { verifyLibrary } from './verify-library.ts';
import { VerifyRun } from './verify-run.ts';

/** Reads all stored data again, and compares the data with its records. */
export class Verifier {
  readonly #records: VerifyRecords;
  readonly #areas: Readonly<Record<FilePart, FileArea>>;
  readonly #library: VerifiedLibrary;
  readonly #parallel: number;
  readonly #clock: Clock;

  constructor(parts: {
    records: VerifyRecords;
    areas: Readonly<Record<FilePart, FileArea>>;
    library: VerifiedLibrary;
    /** The default maximum number of archives or covers that are read at the same time. */
    parallel: number;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#areas = parts.areas;
    this.#library = parts.library;
    this.#parallel = parts.parallel;
    this.#clock = parts.clock;
  }

  /**
   * Verifies the parts. If a verification of the same parts was interrupted, continues it. Throws
   * the signal's reason when aborted; the position reached by then is saved.
   */
  async run(options: VerifyOptions): Promise<VerifyReport> {
    const parts = verifyParts.filter((part) => options.parts.includes(part));
    const { startedAt, position } = await this.#records.begin(parts);
    const run = new VerifyRun({ records: this.#records, position, options, clock: this.#clock });
    const throttle = options.rate
      ? new Throttle(options.rate, () => this.#clock.monotonic())
      : null;
    try {
      for (const part of parts) run.expect(await this.#bytesOf(part));
      for (const part of parts.slice(parts.indexOf(position.part))) {
        await run.enterPart(part);
        if (part === 'database') await this.#verifyDatabase(run);
        else if (part === 'library') await verifyLibrary(run, this.#library, options);
        else {
          const area = this.#areas[part];
          const { parallel = this.#parallel } = options;
          const records = this.#records;
          await verifyFiles(run, { part, area, records, parallel, throttle, options });
        }
      }
    } finally {
      await run.save();
    }
    const { files, bytes } = run.position;
    return { startedAt, parts, files, bytes, findings: await this.#records.end() };
  }

  async #bytesOf(part: VerifyPart): Promise<number> {
    if (part === 'database') return 0;
    if (part !== 'library') return this.#records.recordedBytes(part);
    let bytes = 0;
    for (const root of await this.#library.roots()) bytes += await this.#library.hashedBytes(root);
    return bytes;
  }

  async #verifyDatabase(run: VerifyRun): Promise<void> {
    if (run.position.after !== '') return;
    const reason = await this.#records.findDatabaseDamage();
    if (reason !== null) {
      run.addFinding({ part: 'database', kind: 'changed', path: 'catalog.db', reason });
    }
    await run.advance('catalog.db', 0);
  }
}
