import { refused } from '../../../../core/shared/errors.ts';
import { ByteReader } from '../byte-reader.ts';
import { bitsIn, countIn, END } from './seven-zip-lists.ts';

/** A file in the list of files of a 7z. */
export interface ListedFile {
  /** Path of the file, with `/` between folders. */
  readonly name: string;
  /** True if the file has content. The contents are stored in the order of the files. */
  readonly hasStream: boolean;
  readonly isFolder: boolean;
}

const WITHOUT_STREAM = 0x0e;
const EMPTY_FILE = 0x0f;
const ANTI = 0x10;
const NAMES = 0x11;

/**
 * Reads the list of files. `fields` must be positioned after the list's id. Throws a `CatalogError`
 * of kind `refused` if the list is damaged.
 */
export function filesIn(fields: ByteReader): ListedFile[] {
  const count = countIn(fields);
  let names: string[] = [];
  let withoutStream: boolean[] = [];
  let emptyFile: boolean[] = [];
  let anti: boolean[] = [];
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    const property = new ByteReader(fields.bytes(fields.number8()));
    const without = withoutStream.filter(Boolean).length;
    if (id === WITHOUT_STREAM) withoutStream = bitsIn(property, count);
    else if (id === EMPTY_FILE) emptyFile = bitsIn(property, without);
    else if (id === ANTI) anti = bitsIn(property, without);
    else if (id === NAMES) names = namesIn(property, count);
  }
  const files: ListedFile[] = [];
  let without = 0;
  for (let i = 0; i < count; i += 1) {
    const hasStream = withoutStream[i] !== true;
    const isFolder = !hasStream && (emptyFile[without] !== true || anti[without] === true);
    if (!hasStream) without += 1;
    files.push({ name: names[i] ?? '', hasStream, isFolder });
  }
  return files;
}

/** Reads `count` names in UTF-16LE. Each name ends with a zero character. */
function namesIn(property: ByteReader, count: number): string[] {
  if (property.byte() !== 0) throw refused('its names lie elsewhere, which is not read');
  const text = property.bytes(property.left).toString('utf16le');
  return text
    .split('\0')
    .slice(0, count)
    .map((name) => name.replaceAll('\\', '/'));
}
