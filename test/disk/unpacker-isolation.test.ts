import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashImage } from '../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { runProgram } from '../../src/disk/unpack/seven-zip-host.ts';
import { endIdleThread, unpackOnThread } from '../../src/disk/unpack/unpack-thread.ts';
import { buildFaultyProgram, op, type Program } from '../support/faulty-program.ts';
import { makeRar5 } from '../support/images/rar.ts';
import { hashesOf } from './hashes-of.ts';
import { imageFolder } from './image-folder.ts';

/** A program that replaces the real one; null to use the real one. */
const planted = vi.hoisted((): { program: WebAssembly.Module | null } => ({ program: null }));
vi.mock('../../src/disk/unpack/seven-zip-program.ts', async (importReal) => {
  const real = await importReal<typeof import('../../src/disk/unpack/seven-zip-program.ts')>();
  return { ...real, compileProgram: async () => planted.program ?? real.compileProgram() };
});

const folder = imageFolder();
const content = Buffer.from('what is in the archive. '.repeat(100));
const archive = folder.write(makeRar5([{ name: 'a.bin', content }]));
/** An address that the program does not use. The program has 260 memory pages of 64 KiB. */
const UNUSED = 16_900_000;
const ALL = 260 * 65_536;

afterEach(() => {
  planted.program = null;
});
afterAll(endIdleThread);

const hash = async (path: string) => hashImage(path, await identifyFile(path));

/** Returns instructions that write words to memory. */
const words = (at: number, ...values: number[]) =>
  values.flatMap((value, i) => [...op.constant(at + i * 4), ...op.constant(value), ...op.store]);

const text = (at: number, value: string) => {
  const bytes = Buffer.alloc(Math.ceil((value.length + 1) / 4) * 4);
  bytes.write(value);
  return words(at, ...Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(i * 4)));
};

/**
 * Returns instructions that call an imported function with numbers. The result is left on the
 * stack.
 */
const call = (program: Program, name: string, ...args: number[]) => [
  ...args.flatMap(op.constant),
  ...op.call(program.importIndex(name)),
];

/** Returns instructions that write a part of memory to the file with this number. */
const write = (program: Program, file: number, from: number, length: number) => [
  ...words(UNUSED, from, length),
  ...call(program, 'fd_write', file, UNUSED, 1, UNUSED + 8),
];

const result = op.constant(0);
const faults: readonly (readonly [string, (program: Program) => readonly number[]])[] = [
  ['traps', () => op.unreachable],
  ['reads beyond its memory', () => [...op.constant(-4), ...op.load]],
  ['writes beyond its memory', () => [...words(-4, 1), ...result]],
  ['overwrites all of its memory', () => [...op.fill(0, 0xff, ALL), ...result]],
  ['calls itself endlessly', ({ mainIndex }) => [...result, ...result, ...op.call(mainIndex)]],
  ['aborts', (program) => [...call(program, '_abort_js'), ...result]],
  ['throws', (program) => [...call(program, '__cxa_throw', 0, 0, 0), ...result]],
  ['exits with 0', (program) => [...call(program, 'exit', 0), ...result]],
  ['returns without any output', () => result],
  [
    'passes a list of buffers beyond its memory',
    (program) => call(program, 'fd_write', 1, -8, 1, 0),
  ],
  [
    'passes a buffer that ends beyond its memory',
    (program) => [...write(program, 1, ALL - 4, 8), ...op.drop, ...result],
  ],
  ['unpacks wrong bytes', (program) => write(program, 1, UNUSED, content.length)],
  ['unpacks too many bytes', (program) => write(program, 1, 0, ALL)],
];

describe('the unpacker', () => {
  test.each(faults)(
    'refuses one archive, and unpacks the next one, if the program %s',
    async (_, body) => {
      planted.program = buildFaultyProgram(body);
      await expect(hash(archive)).rejects.toMatchObject({ name: 'CatalogError', kind: 'refused' });
      planted.program = null;
      expect(await hash(archive)).toMatchObject(hashesOf(content));
    },
  );

  test.each([
    ['runs endlessly', () => op.endless([])],
    [
      'writes messages endlessly',
      (program: Program) => op.endless([...write(program, 2, 0, 8), ...op.drop]),
    ],
    [
      'reads the same bytes endlessly',
      (program: Program) => [
        ...text(UNUSED, '/archive'),
        ...call(program, '__syscall_openat', 0, UNUSED, 0, 0),
        ...op.drop,
        ...words(UNUSED, UNUSED + 64, 8),
        ...op.endless([
          ...op.constant(3),
          ...op.constant64(0),
          ...[0, UNUSED + 32].flatMap(op.constant),
          ...op.call(program.importIndex('fd_seek')),
          ...op.drop,
          ...call(program, 'fd_read', 3, UNUSED, 1, UNUSED + 8),
          ...op.drop,
        ]),
      ],
    ],
  ] as const)('ends a program that %s, and unpacks the next archive', async (_, body) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    planted.program = buildFaultyProgram((program) => [...body(program), ...result]);
    let isOver = false;
    const hashed = hash(archive).finally(() => {
      isOver = true;
    });
    const refusal = expect(hashed).rejects.toThrow('unpacking it made no progress for a minute');
    while (!isOver) {
      vi.advanceTimersByTime(10_000);
      await new Promise(setImmediate);
    }
    await refusal;
    vi.useRealTimers();
    planted.program = null;
    expect(await hash(archive)).toMatchObject(hashesOf(content));
  });

  test('shows the program nothing of the previous archive in the same thread', async () => {
    expect(await hash(archive)).toMatchObject(hashesOf(content));
    planted.program = buildFaultyProgram((program) => [
      ...write(program, 1, 0, ALL),
      ...op.drop,
      ...words(UNUSED + 64, 0x11223344),
      ...result,
    ]);
    for (let i = 0; i < 2; i += 1) {
      const pieces: Buffer[] = [];
      const unpacking = { path: archive, format: 'rar5', maxBytes: ALL } as const;
      for await (const piece of unpackOnThread(unpacking)) pieces.push(Buffer.from(piece));
      const memory = Buffer.concat(pieces);
      expect(memory).toHaveLength(ALL);
      expect(memory.includes('7-Zip')).toBe(true);
      expect(memory.includes(content.subarray(0, 20))).toBe(false);
      expect(memory.readInt32LE(UNUSED + 64)).toBe(0);
    }
  });

  /** Runs a program alone and returns its result. */
  function resultOf(body: (program: Program) => readonly number[]): number {
    const given = {
      size: 10,
      read: () => 0,
      write: () => undefined,
      writeMessage: () => undefined,
    };
    return runProgram(buildFaultyProgram(body), ['7zz'], given).status;
  }

  const paths = ['/etc/passwd', '/', '.', '/archive/..', '/proc/self/environ', archive];

  test('gives the program one file, read-only, and no other', () => {
    const open = (path: string, flags = 0) =>
      resultOf((program) => [
        ...text(UNUSED, path),
        ...call(program, '__syscall_openat', -100, UNUSED, flags, 0),
      ]);
    expect(open('/archive')).toBe(3);
    // flags for writing, reading and writing, creating and truncating
    for (const flags of [1, 2, 0o100, 0o1000]) expect(open('/archive', flags)).toBeLessThan(0);
    for (const path of paths) expect(open(path), path).toBeLessThan(0);
    for (const name of ['__syscall_stat64', '__syscall_lstat64']) {
      const stat = (path: string) =>
        resultOf((program) => [
          ...text(UNUSED, path),
          ...call(program, name, UNUSED, UNUSED + 256),
        ]);
      expect(stat('/archive')).toBe(0);
      for (const path of paths) expect(stat(path), path).toBeLessThan(0);
    }
  });

  test.each([
    ['__syscall_getdents64', 3],
    ['__syscall_mkdirat', 3],
    ['__syscall_readlinkat', 4],
    ['__syscall_renameat', 4],
    ['__syscall_rmdir', 1],
    ['__syscall_symlinkat', 3],
    ['__syscall_unlinkat', 3],
    ['__syscall_utimensat', 4],
    ['__syscall_chmod', 2],
    ['__syscall_fchownat', 5],
    ['__syscall_ioctl', 3],
  ])('fails a system call of the program: %s', (name, count) => {
    const args = Array.from({ length: count }, () => UNUSED);
    expect(resultOf((program) => call(program, name, ...args))).toBeLessThan(0);
  });

  test('gives the program no input, environment or clock', () => {
    const read = (name: string, ...args: number[]) =>
      resultOf((program) => [
        ...words(UNUSED, -1),
        ...call(program, name, ...args),
        ...op.drop,
        ...op.constant(UNUSED),
        ...op.load,
      ]);
    expect(read('environ_sizes_get', UNUSED, UNUSED + 4)).toBe(0);
    expect(read('environ_sizes_get', UNUSED + 4, UNUSED)).toBe(0);
    const input = (program: Program) => [
      ...words(UNUSED, UNUSED + 64, 8),
      ...call(program, 'fd_read', 0, UNUSED, 1, UNUSED + 8),
    ];
    expect(resultOf(input)).toBeGreaterThan(0);
    const now = (program: Program) => [
      ...words(UNUSED, -1),
      ...op.constant(0),
      ...op.constant64(0),
      ...op.constant(UNUSED),
      ...op.call(program.importIndex('clock_time_get')),
      ...op.drop,
      ...op.constant(UNUSED),
      ...op.load,
    ];
    expect(resultOf(now)).toBe(0);
  });

  test('gives the program at most 128 MiB of memory', () => {
    const grow = (bytes: number) =>
      resultOf((program) => call(program, 'emscripten_resize_heap', bytes));
    expect(grow(128 * 2 ** 20)).toBe(1);
    expect(grow(128 * 2 ** 20 + 1)).toBe(0);
    expect(grow(-1)).toBe(0);
    const { memory } = runProgram(
      buildFaultyProgram((program) => [
        ...op.repeat(call(program, 'emscripten_resize_heap', 128 * 2 ** 20 + 1)),
        ...result,
      ]),
      [],
      { size: 0, read: () => 0, write: () => undefined, writeMessage: () => undefined },
    );
    expect(memory).toBeLessThanOrEqual(128 * 2 ** 20);
  });

  test('unpacks nothing after the first damaged file', async () => {
    const rar = makeRar5([
      { name: 'a.bin', content: Buffer.from('the first') },
      { name: 'b.bin', content: Buffer.from('the second') },
    ]);
    const at = rar.indexOf('the first');
    rar[at] = 0x54;
    const path = folder.write(rar);
    const pieces: string[] = [];
    const unpack = async () => {
      const unpacking = { path, format: 'rar5', maxBytes: 100 } as const;
      for await (const piece of unpackOnThread(unpacking)) pieces.push(piece.toString());
    };
    await expect(unpack()).rejects.toThrow('its checksum (CRC-32) does not match');
    expect(pieces.join('')).toBe('The first');
  });

  test.each(['7z', 'rar', 'xz', 'zstd', 'zip'] as const)(
    'does not open a RAR 5 as %s',
    async (format) => {
      const unpacked = unpackOnThread({ path: archive, format, maxBytes: 1e6 });
      await expect(unpacked.next()).rejects.toThrow('it cannot be unpacked');
    },
  );
});
