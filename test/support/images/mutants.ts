import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { isRestorable } from '../../../src/core/library/container-kinds.ts';
import type { Identity } from '../../../src/core/library/identity.ts';
import type { TrackedHashes } from '../../../src/core/library/library-file.ts';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { useLibrary } from '../../library/library-fixture.ts';
import { testSomeAndMany } from '../some-and-many.ts';

/**
 * Number of mutants per reader. `npm test` uses `some`, and `npm run test:full` uses `many`. `npm
 * run fuzz` sets a larger number with CATALOG_MUTANTS.
 */
const MUTANTS = { some: 4, many: Number(process.env.CATALOG_MUTANTS ?? 200) };
/** Timeout of a test that makes `MUTANTS.many` mutants of several files, in milliseconds. */
const TIMEOUT = 240_000 + MUTANTS.many * 500;

/**
 * Defines a test. `run` gets the number of damaged files to make from each file. `$count` in `name`
 * is replaced by this number.
 */
export function testMutants(name: string, run: (count: number) => Promise<void>): void {
  testSomeAndMany(name, MUTANTS, run, TIMEOUT);
}

/**
 * Limits for one damaged file on any machine: reads by this thread, bytes read, and bytes unpacked.
 * The limits leave a wide margin.
 */
const MAX_READS = 400;
const MAX_READ_BYTES = 32 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * True in `npm run fuzz`, which runs on a quiet machine and therefore also limits time and memory.
 */
const LIMITS_TIME_AND_MEMORY = process.env.CATALOG_MUTANTS !== undefined;
/** Limit for CPU time in `npm run fuzz`, on a machine with the reference speed. */
const MAX_PROCESSOR_MS = 1_000;
/**
 * The reference for CPU time: SHA-1 and MD5 of this number of bytes, and their CPU time on the
 * reference machine.
 */
const REFERENCE = { bytes: 64 * 1024 * 1024, processorMs: 150 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
/** Maximum number of damaged files that one call of `each` keeps for `expectReported`. */
const MAX_SCANNED_FILES = 10;

export interface MutantOptions {
  readonly whole: Buffer;
  /** Returns a damaged copy of the file. */
  readonly change: (whole: Buffer) => Buffer;
  /**
   * Name of the file. Needed if the readers depend on the name, or on other files with related
   * names.
   */
  readonly name?: string;
  readonly times: number;
  /** Checks the result for a file that the readers accepted. */
  readonly check?: (hashes: TrackedHashes, changed: Buffer, identity: Identity) => void;
}

/** Passes damaged files to the readers, as a scan would, and limits the cost of each file. */
export class DamagedFiles {
  readonly #folder: { readonly path: string; write(content: Buffer, name?: string): string };
  readonly #damagedPaths: string[] = [];

  constructor(folder: { readonly path: string; write(content: Buffer, name?: string): string }) {
    this.#folder = folder;
  }

  /**
   * Reads and hashes each damaged file. The readers may refuse a file. Throws on any other error,
   * and if a file takes too much time or memory.
   */
  async each({ whole, change, name = 'case.xyz', times, check }: MutantOptions): Promise<void> {
    const memory = process.memoryUsage.rss();
    let copied = 0;
    for (let i = 0; i < times; i += 1) {
      const changed = change(whole);
      const path = this.#folder.write(changed, name);
      const before = { cpu: process.cpuUsage(), peak: process.resourceUsage().maxRSS };
      const { identity, hashes } = await this.#read(path, i);
      if (LIMITS_TIME_AND_MEMORY) await this.#checkLimits(before, memory, `${name} ${i}`, path);
      if (hashes !== null) check?.(hashes, changed, identity);
      const isHashed = hashes !== null || identity.unrestorable !== undefined;
      if ((identity.problem === null && isHashed) || copied >= MAX_SCANNED_FILES) continue;
      copied += 1;
      const copy = join(this.#folder.path, `noticed ${this.#damagedPaths.length} ${name}`);
      copyFileSync(path, copy);
      this.#damagedPaths.push(copy);
    }
  }

  /**
   * Expects that a scan reports all files in which the readers noticed damage. Call this function
   * within a test.
   */
  async expectReported(): Promise<void> {
    expect(this.#damagedPaths.length).toBeGreaterThan(0);
    const library = await useLibrary();
    for (const path of this.#damagedPaths)
      copyFileSync(path, join(library.games.path, basename(path)));
    const { damaged, unreadable } = await library.scan({ hash: true });
    const named = [...damaged, ...unreadable].map(({ path }) => basename(path));
    expect(named).toEqual(expect.arrayContaining(this.#damagedPaths.map((path) => basename(path))));
  }

  async #read(path: string, which: number) {
    const unpacked = { bytes: 0 };
    const { result, reads, bytes } = await countReads(async () => {
      const identity = await identifyFile(path);
      const isHashed = isRestorable({ identity });
      const hashes = isHashed ? await this.#hash(path, identity, which, unpacked) : null;
      return { identity, hashes };
    });
    if (reads > MAX_READS || bytes > MAX_READ_BYTES || unpacked.bytes > MAX_UNPACKED_BYTES) {
      const cost = `${reads} reads of ${bytes} bytes, ${unpacked.bytes} bytes unpacked`;
      throw this.#withCopyPath(new Error(`it costs ${cost}`), path, which);
    }
    return result;
  }

  async #hash(
    path: string,
    identity: Identity,
    which: number,
    unpacked: { bytes: number },
  ): Promise<TrackedHashes | null> {
    const onBytes = (bytes: number) => {
      unpacked.bytes += bytes;
    };
    return hashImage(path, identity, { onBytes }).catch((error: Error) => {
      if (error.name !== 'CatalogError') throw this.#withCopyPath(error, path, which);
      return null;
    });
  }

  async #checkLimits(
    before: { cpu: NodeJS.CpuUsage; peak: number },
    memory: number,
    name: string,
    path: string,
  ): Promise<void> {
    let processorMs = processorMsSince(before.cpu);
    const peak = process.resourceUsage().maxRSS;
    if (processorMs > MAX_PROCESSOR_MS) {
      // Compilation or garbage collection may have caused the cost. Measure again and use the
      // smaller value.
      const again = process.cpuUsage();
      await this.#read(path, -1);
      processorMs = Math.min(processorMs, processorMsSince(again));
    }
    const isSlow = processorMs > MAX_PROCESSOR_MS && processorMs > MAX_PROCESSOR_MS * slowness();
    const isLarge = peak > before.peak && peak * 1024 - memory > MAX_MEMORY_BYTES;
    if (!isSlow && !isLarge) return;
    const cost = `${Math.round(processorMs)} ms, ${Math.round((peak * 1024 - memory) / 2 ** 20)} MiB`;
    throw this.#withCopyPath(new Error(`it costs ${cost}`), path, name);
  }

  /** Adds to an error the path of a copy of the damaged file. Returns the error. */
  #withCopyPath(error: Error, path: string, which: number | string): Error {
    const copy = join(this.#folder.path, '..', `catalog-mutant-${Date.now()}`);
    copyFileSync(path, copy);
    error.message = `damaged file ${which}, kept as ${copy}: ${error.message}`;
    return error;
  }
}

/**
 * Runs `work`. Returns its result, and the number of reads and bytes that this thread read from
 * files.
 */
async function countReads<T>(work: () => Promise<T>) {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { read } = prototype;
  let reads = 0;
  let bytes = 0;
  prototype.read = async function (...args: unknown[]) {
    const result = await read.apply(this, args);
    reads += 1;
    bytes += result.bytesRead;
    return result;
  };
  try {
    const result = await work();
    return { result, reads, bytes };
  } finally {
    prototype.read = read;
  }
}

function processorMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Returns the factor by which this machine is currently slower than the reference machine, at
 * least 1.
 */
function slowness(): number {
  const bytes = Buffer.alloc(REFERENCE.bytes, 1);
  const before = process.cpuUsage();
  for (const kind of ['sha1', 'md5']) createHash(kind).update(bytes).digest();
  return Math.max(1, processorMsSince(before) / REFERENCE.processorMs);
}

/**
 * Returns a pseudorandom generator of integers from 0 to `max` - 1. The same seed always yields
 * the same numbers.
 */
export function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

/**
 * Returns a copy with up to three changes. A change sets a byte, flips a bit, writes a run of
 * zeros, ones or noise, or truncates the copy. Half of the changes are in the first `head` or last
 * `tail` bytes.
 */
export function mutate(
  bytes: Buffer,
  random: (max: number) => number,
  head: number,
  tail = 0,
): Buffer {
  let changed = Buffer.from(bytes);
  for (let i = random(3); i >= 0; i -= 1) {
    const inTables = random(head + tail);
    const table = inTables < head ? inTables : changed.length - 1 - (inTables - head);
    const within = Math.min(Math.max(table, 0), Math.max(changed.length - 1, 0));
    const at = random(2) === 0 ? within : random(changed.length);
    const kind = random(6);
    if (kind === 0) changed[at] = random(256);
    else if (kind === 1) changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    else if (kind === 2) changed.fill(0, at, Math.min(changed.length, at + random(64)));
    else if (kind === 3) changed.fill(255, at, Math.min(changed.length, at + 1 + random(8)));
    else if (kind === 4)
      for (let j = at; j < Math.min(changed.length, at + 20); j += 1) changed[j] = random(256);
    else if (random(4) === 0) changed = changed.subarray(0, at);
  }
  return changed;
}
