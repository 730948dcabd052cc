import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ZipMember } from '../core/covers/ports.ts';

/**
 * Modification time of all members. DOS time has no time zone, and yazl writes the local time of
 * this date. So the bytes are the same in every time zone.
 */
const noTime = new Date(1980, 0, 1);

/**
 * Implements `WriteZip`. Reads one member at a time, in bounded memory. Uses zip64 if the size
 * requires zip64.
 */
export async function* writeZip(members: readonly ZipMember[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const options = { mtime: noTime, mode: 0o100644, forceDosTimestamp: true, compress: false };
  let current: Readable | null = null;
  zip.on('error', (error: unknown) => output.destroy(error as Error));
  for (const member of members) {
    zip.addReadStreamLazy(member.name, options, (give) => {
      streamOf(member).then(
        (stream) => {
          current = stream;
          stream.on('error', (error) => zip.emit('error', error)); // yazl does not watch for errors
          give(null, stream);
        },
        (error: Error) => give(error, undefined as never),
      );
    });
  }
  zip.end();
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    (current as Readable | null)?.destroy(); // the consumer may have stopped early
  }
}

async function streamOf(member: ZipMember): Promise<Readable> {
  return Readable.from(await member.open(), { objectMode: false });
}
