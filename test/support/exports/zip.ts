import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** A file in a zip. */
export interface ZippedFile {
  readonly content: Buffer;
  readonly isCompressed: boolean;
}

/**
 * Returns the files of a zip by path, in the order of the zip. Throws if it contains a path twice.
 */
export async function readZip(bytes: Buffer): Promise<ReadonlyMap<string, ZippedFile>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, ZippedFile>();
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    const content = await buffer(await zip.openReadStreamPromise(entry));
    files.set(entry.fileName, { content, isCompressed: entry.compressionMethod !== 0 });
  }
  return files;
}
