import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/**
 * Writes a Logiqx DAT with `rows` rows, named `Release 0`, `Release 1` and so on. Each row has one
 * ROM.
 */
export async function writeBigDat(
  file: string,
  rows: number,
  options: { platform?: string; serial?: string } = {},
): Promise<void> {
  const { platform = 'Test - Big', serial = 'A' } = options;
  const out = createWriteStream(file);
  out.write(
    `<?xml version="1.0"?>\n<datafile><header><name>${platform}</name>` +
      `<version>${serial}</version></header>\n`,
  );
  for (let i = 0; i < rows; i++) {
    const sha1 = i.toString(16).padStart(40, '0');
    const isTaken = out.write(
      `<game name="Release ${i}"><description>Release ${i}</description><serial>${serial}-${i}</serial>` +
        `<rom name="Release ${i}.iso" size="${i}" crc="00000000" sha1="${sha1}"/></game>\n`,
    );
    if (!isTaken) await once(out, 'drain');
  }
  out.end('</datafile>\n');
  await once(out, 'close');
}
