import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ExportMember } from '../../core/exports/ports.ts';

/** Modification time of all members; see `writeZip`. The same members produce the same bytes. */
const noTime = new Date(1980, 0, 1);

/**
 * Yields a zip of these members while they are read, one at a time and in bounded memory. Texts are
 * compressed, and pictures are stored. Uses zip64 if the size requires it.
 */
export async function* exportZip(members: AsyncIterable<ExportMember>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: unknown) => output.destroy(error as Error));
  const rest = members[Symbol.asyncIterator]();
  const state: { current: Readable | null; isOver: boolean } = { current: null, isOver: false };

  async function addAll(): Promise<void> {
    for (let next = await rest.next(); !next.done && !state.isOver; next = await rest.next()) {
      await add(next.value);
    }
    zip.end();
  }

  function add({ path, isText, content }: ExportMember): Promise<void> {
    const stream = Readable.from(content, { objectMode: false });
    state.current = stream;
    const options = { mtime: noTime, mode: 0o100644, forceDosTimestamp: true, compress: isText };
    return new Promise((resolve, reject) => {
      stream.once('end', resolve);
      stream.once('error', reject);
      stream.once('close', resolve);
      zip.addReadStream(stream, path, options);
    });
  }

  addAll().catch((error: Error) => output.destroy(error));
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    // The consumer may have stopped early.
    state.isOver = true;
    state.current?.destroy();
    output.destroy();
    await rest.return?.();
  }
}
