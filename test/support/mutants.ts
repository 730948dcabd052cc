import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Identity } from '../../src/core/library/identity.ts';
import type { TrackedHashes } from '../../src/core/library/library-file.ts';
import { isRestorable } from '../../src/core/library/packed.ts';
import { hashImage } from '../../src/disk/hash-image.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { useLibrary } from '../library/library-fixture.ts';
import { testSomeAndMany } from './some-and-many.ts';

/**
 * Number of mutants per reader: a few in `npm test`, more in `npm run test:full`, most with `npm
 * run fuzz`.
 */
const MUTANTS = { some: 8, many: Number(process.env.CATALOG_MUTANTS ?? 200) };
/** Timeout of a test with that many mutants of several files, in milliseconds. */
const TIMEOUT = 240_000 + MUTANTS.many * 500;

/**
 * Defines a test that is given the number of damaged files to make of each; the name contains
 * `$count`.
 */
export function testMutants(name: string, run: (count: number) => Promise<void>): void {
  testSomeAndMany(name, MUTANTS, run, TIMEOUT);
}

/**
 * Limits for one damaged file on any machine: reads by this thread, bytes read, and bytes unpacked.
 * They leave a wide margin.
 */
const MOST_READS = 400;
const MOST_READ_BYTES = 32 * 1024 * 1024;
const MOST_UNPACKED_BYTES = 64 * 1024 * 1024;

/** Whether time and memory are bounded as well, on a quiet machine: `npm run fuzz`. */
const HAS_FIGURES = process.env.CATALOG_MUTANTS !== undefined;
/** Limits there: processor time on a machine with the reference speed, and memory. */
const MOST_PROCESSOR_MS = 1_000;
/**
 * Number of bytes whose SHA-1 and MD5 are the reference, and their processor time on the reference
 * machine.
 */
const REFERENCE = { bytes: 64 * 1024 * 1024, processorMs: 150 };
const MOST_BYTES = 256 * 1024 * 1024;
/** Number of files per reader that are also given to a scan. */
const MOST_KEPT = 10;

export interface Changes {
  readonly whole: Buffer;
  /** Returns a damaged copy of the file. */
  readonly change: (whole: Buffer) => Buffer;
  /** Name of the file, if it or the files next to it matter. */
  readonly name?: string;
  readonly times: number;
  /** Checks a file that was read. */
  readonly check?: (hashes: TrackedHashes, changed: Buffer, identity: Identity) => void;
}

/** Gives damaged files to the readers as a scan does, and bounds the cost of each. */
export class DamagedFiles {
  readonly #folder: { readonly path: string; write(content: Buffer, name?: string): string };
  readonly #noticed: string[] = [];

  constructor(folder: { readonly path: string; write(content: Buffer, name?: string): string }) {
    this.#folder = folder;
  }

  /**
   * Reads and hashes each damaged file, which may be refused. Fails on any other error, and on
   * files that take too much time or memory.
   */
  async each({ whole, change, name = 'case.xyz', times, check }: Changes): Promise<void> {
    const memory = process.memoryUsage.rss();
    let kept = 0;
    for (let i = 0; i < times; i += 1) {
      const changed = change(whole);
      const path = this.#folder.write(changed, name);
      const before = { cpu: process.cpuUsage(), peak: process.resourceUsage().maxRSS };
      const { identity, hashes } = await this.#read(path, i);
      if (HAS_FIGURES) await this.#bound(before, memory, `${name} ${i}`, path);
      if (hashes !== null) check?.(hashes, changed, identity);
      const isHashed = hashes !== null || identity.unrestorable !== undefined;
      if ((identity.problem === null && isHashed) || kept >= MOST_KEPT) continue;
      kept += 1;
      const copy = join(this.#folder.path, `noticed ${this.#noticed.length} ${name}`);
      copyFileSync(path, copy);
      this.#noticed.push(copy);
    }
  }

  /** Expects that a scan names all files whose damage was noticed; call it within a test. */
  async expectNamed(): Promise<void> {
    expect(this.#noticed.length).toBeGreaterThan(0);
    const library = await useLibrary();
    for (const path of this.#noticed) copyFileSync(path, join(library.games.path, basename(path)));
    const { damaged, unreadable } = await library.scan({ hash: true });
    const named = [...damaged, ...unreadable].map(({ path }) => basename(path));
    expect(named).toEqual(expect.arrayContaining(this.#noticed.map((path) => basename(path))));
  }

  async #read(path: string, which: number) {
    const unpacked = { bytes: 0 };
    const { result, reads, bytes } = await counted(async () => {
      const identity = await identifyFile(path);
      const isHashed = isRestorable({ identity });
      const hashes = isHashed ? await this.#hash(path, identity, which, unpacked) : null;
      return { identity, hashes };
    });
    if (reads > MOST_READS || bytes > MOST_READ_BYTES || unpacked.bytes > MOST_UNPACKED_BYTES) {
      const cost = `${reads} reads of ${bytes} bytes, ${unpacked.bytes} bytes unpacked`;
      throw this.#named(new Error(`it costs ${cost}`), path, which);
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
      if (error.name !== 'CatalogError') throw this.#named(error, path, which);
      return null;
    });
  }

  async #bound(
    before: { cpu: NodeJS.CpuUsage; peak: number },
    memory: number,
    name: string,
    path: string,
  ): Promise<void> {
    let processorMs = processorMsSince(before.cpu);
    const peak = process.resourceUsage().maxRSS;
    if (processorMs > MOST_PROCESSOR_MS) {
      // Compilation or garbage collection may cause the cost, so it counts only if it recurs.
      const again = process.cpuUsage();
      await this.#read(path, -1);
      processorMs = Math.min(processorMs, processorMsSince(again));
    }
    const isSlow = processorMs > MOST_PROCESSOR_MS && processorMs > MOST_PROCESSOR_MS * slowness();
    const isLarge = peak > before.peak && peak * 1024 - memory > MOST_BYTES;
    if (!isSlow && !isLarge) return;
    const cost = `${Math.round(processorMs)} ms, ${Math.round((peak * 1024 - memory) / 2 ** 20)} MiB`;
    throw this.#named(new Error(`it costs ${cost}`), path, name);
  }

  /** Returns the error with the place where its file is kept. */
  #named(error: Error, path: string, which: number | string): Error {
    const copy = join(this.#folder.path, '..', `catalog-mutant-${Date.now()}`);
    copyFileSync(path, copy);
    error.message = `damaged file ${which}, kept as ${copy}: ${error.message}`;
    return error;
  }
}

/** Returns the result of work on this thread, and how much it read from files. */
async function counted<T>(work: () => Promise<T>) {
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

/** Returns how many times slower this machine is now than the reference; at least 1. */
function slowness(): number {
  const bytes = Buffer.alloc(REFERENCE.bytes, 1);
  const before = process.cpuUsage();
  for (const kind of ['sha1', 'md5']) createHash(kind).update(bytes).digest();
  return Math.max(1, processorMsSince(before) / REFERENCE.processorMs);
}

/** Returns a generator of the same numbers for the same seed, from 0 to below `most`. */
export function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/**
 * Makes one to three changes: a byte, a bit, a run of zeros, ones or noise, or a cut. Half of them
 * are in the first `head` or last `tail` bytes.
 */
export function mutant(
  bytes: Buffer,
  random: (most: number) => number,
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
