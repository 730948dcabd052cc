import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import { type Packing, packingOf } from './codecs.ts';
import { readWia, type WiaHeader } from './header.ts';
import { type GroupContent, readGroup } from './read-group.ts';
import { readTables, WII_SECTOR, type WiaArea, type WiaTables } from './wia-tables.ts';
import { type PlacedExceptions, SECTOR_DATA, TREE_SECTORS, wiiSectors } from './wii-sectors.ts';

interface Wia {
  readonly file: ImageBytes;
  readonly header: WiaHeader;
  readonly packing: Packing;
  readonly tables: WiaTables;
}

const TREE = TREE_SECTORS * WII_SECTOR;
const LARGEST_CHUNK = 64 * 1024 * 1024;
/** Maximum size of an image, in bytes. This is twice the size of a Wii disc with two layers. */
const MAX_BYTES = 2 ** 34;

/**
 * Yields the original disc of an RVZ or WIA in pieces, in order. Throws a `CatalogError` of kind
 * `refused` if the file is damaged or not supported.
 */
export async function* wiaPieces(file: ImageBytes): AsyncGenerator<Buffer> {
  const header = await readWia(file);
  checkForm(header);
  const packing = await packingOf(header);
  const tables = await readTables(file, header, packing);
  const wia = { file, header, packing, tables };
  let done = 0;
  for (const area of tables.areas) {
    yield* zeros(Math.min(area.start, header.size) - done);
    done = Math.max(done, Math.min(area.start, header.size));
    let at = area.start;
    for await (const piece of areaPieces(wia, area)) {
      const fresh = piece.subarray(Math.max(0, done - at), Math.max(0, header.size - at));
      at += piece.length;
      if (fresh.length === 0) continue;
      if (done < header.discHead.length) header.discHead.copy(fresh, 0, done);
      done += fresh.length;
      yield fresh;
    }
  }
  yield* zeros(header.size - done);
}

function checkForm({ chunkSize, isRvz, size }: WiaHeader): void {
  const isSmall = isRvz && chunkSize >= WII_SECTOR && Number.isInteger(Math.log2(chunkSize));
  if (chunkSize > LARGEST_CHUNK || chunkSize === 0 || (chunkSize % TREE !== 0 && !isSmall)) {
    throw refused(`it has chunks of ${chunkSize} bytes, which are not read`);
  }
  if (size > MAX_BYTES) throw refused(`it says to hold ${size} bytes, which no disc does`);
}

function* zeros(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= MAX_READ) yield Buffer.alloc(Math.min(left, MAX_READ));
}

async function* areaPieces(wia: Wia, area: WiaArea): AsyncGenerator<Buffer> {
  const { chunkSize } = wia.header;
  if (area.groups < Math.ceil(area.size / chunkSize)) {
    throw refused('it is damaged: an area of the disc has too few groups');
  }
  if (area.partition !== null) {
    yield* partitionPieces(wia, area, area.partition);
    return;
  }
  for (let at = 0; at < area.size; at += chunkSize) {
    const size = Math.min(chunkSize, area.size - at);
    const form = { size, lists: 0, offset: area.start + at };
    const { data } = await groupOf(wia, area, at / chunkSize, form);
    yield data.subarray(0, size);
  }
}

/**
 * Yields the sectors of a partition in pieces of 64 sectors, because the hashes of 64 sectors form
 * one tree. A chunk of the file may contain fewer sectors than a tree, or the sectors of several
 * trees.
 */
async function* partitionPieces(
  wia: Wia,
  area: WiaArea,
  partition: NonNullable<WiaArea['partition']>,
): AsyncGenerator<Buffer> {
  const perChunk = wia.header.chunkSize / WII_SECTOR;
  const lists = Math.max(1, wia.header.chunkSize / TREE);
  const sectors = area.size / WII_SECTOR;
  const before = (area.start - partition.start) / WII_SECTOR;
  if (before < 0 || before % TREE_SECTORS !== 0) {
    throw refused('it is damaged: a partition is divided within a tree of hashes');
  }
  let index = -1;
  let content: GroupContent = { data: Buffer.alloc(0), exceptions: [] };
  for (let first = 0; first < sectors; first += TREE_SECTORS) {
    const count = Math.min(TREE_SECTORS, sectors - first);
    const data = Buffer.alloc(TREE_SECTORS * SECTOR_DATA);
    const exceptions: PlacedExceptions[] = [];
    for (let sector = first; sector < first + count; ) {
      const wanted = Math.floor(sector / perChunk);
      const start = wanted * perChunk;
      const end = Math.min(start + perChunk, sectors);
      if (wanted !== index) {
        index = wanted;
        const size = (end - start) * SECTOR_DATA;
        const form = { size, lists, offset: (before + start) * SECTOR_DATA };
        content = await groupOf(wia, area, index, form);
      }
      const some = Math.min(end, first + count) - sector;
      const from = (sector - start) * SECTOR_DATA;
      content.data.copy(data, (sector - first) * SECTOR_DATA, from, from + some * SECTOR_DATA);
      const list = content.exceptions[Math.floor((sector - start) / TREE_SECTORS)] ?? [];
      exceptions.push({ first: sector - first, list });
      sector += some;
    }
    yield encrypted(data, partition.key, exceptions).subarray(0, count * WII_SECTOR);
  }
}

function encrypted(data: Buffer, key: Buffer, exceptions: readonly PlacedExceptions[]): Buffer {
  try {
    return wiiSectors(data, key, exceptions);
  } catch (error) {
    throw refused('it is damaged: its hashes cannot be made again', error);
  }
}

async function groupOf(
  { file, packing, tables }: Wia,
  area: WiaArea,
  index: number,
  form: Parameters<typeof readGroup>[3],
): Promise<GroupContent> {
  try {
    return await readGroup(file, packing, tables.group(area.firstGroup + index), form);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused('it is damaged: a group is missing', error);
  }
}
