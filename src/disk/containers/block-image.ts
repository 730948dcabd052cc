import { refused } from '../../core/shared/errors.ts';
import { checkRange, type ImageBytes, MAX_READ } from '../image-bytes.ts';

/** The position of a block in its file, in bytes, and the function that unpacks the block. */
export interface PackedBlock {
  readonly offset: number;
  readonly length: number;
  /**
   * Returns at least the first `size` bytes of the unpacked block. If the block is damaged, returns
   * fewer bytes or throws any error of the codec.
   */
  readonly unpack: (packed: Buffer, size: number) => Buffer;
}

/**
 * The blocks of an image. Each block is packed separately. All blocks have the same unpacked size.
 */
export interface BlockTable {
  /** Size of the image, in bytes. */
  readonly size: number;
  readonly blockSize: number;
  /**
   * Returns the positions of `count` blocks, starting with block number `first`. The caller
   * requests only blocks inside the image.
   */
  locate(first: number, count: number): Promise<PackedBlock[]>;
}

/**
 * Returns the unpacked image. Each `read` reads and unpacks only the blocks that overlap the range.
 * Throws a `CatalogError` of kind `refused` if such a block is damaged.
 */
export function blockImage(file: ImageBytes, table: BlockTable): ImageBytes {
  const { size, blockSize } = table;
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      if (length === 0) return Buffer.alloc(0);
      const first = Math.floor(offset / blockSize);
      const count = Math.floor((offset + length - 1) / blockSize) - first + 1;
      const parts: Buffer[] = [];
      for (const run of runsOf(await table.locate(first, count))) {
        const start = run[0]?.offset ?? 0;
        const packed = await file.read(start, endOf(run.at(-1)) - start);
        for (const block of run) {
          const wanted = Math.min(blockSize, size - (first + parts.length) * blockSize);
          const from = block.offset - start;
          parts.push(unpacked(block, packed.subarray(from, from + block.length), wanted));
        }
      }
      const skipped = offset - first * blockSize;
      return Buffer.concat(parts).subarray(skipped, skipped + length);
    },
  };
}

const endOf = (block: PackedBlock | undefined) => (block ? block.offset + block.length : 0);

/**
 * Groups the blocks into runs. One `read` of the file covers all blocks of a run, so the blocks of
 * a run must be in file order. There may be gaps between them.
 */
function runsOf(blocks: readonly PackedBlock[]): PackedBlock[][] {
  const runs: PackedBlock[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    const start = run?.[0]?.offset ?? 0;
    if (run && block.offset >= endOf(run.at(-1)) && endOf(block) - start <= MAX_READ) {
      run.push(block);
    } else {
      runs.push([block]);
    }
  }
  return runs;
}

function unpacked(block: PackedBlock, packed: Buffer, size: number): Buffer {
  let bytes: Buffer;
  try {
    bytes = block.unpack(packed, size);
  } catch (error) {
    throw refused('it is damaged: a block cannot be unpacked', error);
  }
  if (bytes.length < size) throw refused('it is damaged: a block is too short');
  return bytes.subarray(0, size);
}
