import type { OpenedFile } from './file-area.ts';

/** Reads a whole file into memory. The caller must have checked that the file is not too large. */
export async function readWholeFile(file: OpenedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
