import type { ZipMember } from '../core/covers/ports.ts';
import type { ExportMember } from '../core/exports/ports.ts';
import { ZipWriter } from './zip-writer.ts';

/** Implements `WriteZip`. */
export async function* writeZip(members: readonly ZipMember[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for (const { name, open } of members) {
    yield* zip.add({ name, isCompressed: false, content: await open() });
  }
  yield* zip.end();
}

/** Implements `ZipExport`. Texts are compressed, and pictures are stored. */
export async function* exportZip(members: AsyncIterable<ExportMember>): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for await (const { path, isText, content } of members) {
    yield* zip.add({ name: path, isCompressed: isText, content });
  }
  yield* zip.end();
}
