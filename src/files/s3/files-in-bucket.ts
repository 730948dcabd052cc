import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, truncate } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { BackupPart } from '../../core/backups/backup-parts.ts';
import type { FilesDestination, StoredCopy } from '../../core/backups/copies/ports.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import { Bucket } from './client/bucket.ts';
import { dropObject } from './client/drop-objects.ts';
import { writeLabel } from './client/labels.ts';
import { bucketConfigOf, type S3Settings } from './client/s3-settings.ts';
import { newKey } from './object-keys.ts';
import { ObjectWriter } from './object-writer.ts';
import { openObject } from './open-object.ts';

/**
 * A line in the record of a copy. One line is written before an object is sent, and a second line
 * when the object is complete (`isWhole`).
 */
interface Sent {
  readonly key: string;
  readonly part: BackupPart;
  readonly name: string;
  readonly size: number;
  readonly isWhole: boolean;
}

/**
 * Returns the target of a copy that stores files in a bucket. Each file gets a new key. No database
 * lists the files yet, so the file `record` (JSON Lines) lists them. With the record, an
 * interrupted copy can be resumed and its incomplete objects can be deleted.
 */
export async function filesInBucket(options: {
  settings: S3Settings;
  record: string;
  tmp: string;
  /** Files whose objects are in the bucket already, by `<area>/<name>`. */
  there?: ReadonlyMap<string, { readonly key: string; readonly size: number }>;
}): Promise<FilesDestination> {
  const { settings, record, tmp } = options;
  const bucket = new Bucket(bucketConfigOf(settings));
  const { sent, left } = await readRecord(record);
  const appendLine = (line: Sent) =>
    appendFile(record, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  const storedCopy = ({ name, mtimeNs, size, etag }: StoredFile, key: string): StoredCopy => ({
    key,
    mtimeNs,
    async *bytes() {
      if (size === 0) return;
      yield* openObject(bucket, { name, key, size, mtimeNs, sha256: etag }).stream() as Readable;
    },
  });
  const drop = (key: string) => dropObject(bucket, key);
  for (const key of left) await drop(key);
  const used = new Set<string>();
  return {
    name: settings.files,
    hasObjects: true,
    async find(part, file) {
      const path = `${part}/${file.name}`;
      const known = sent.get(path) ?? options.there?.get(path);
      if (known?.size !== file.size) return null;
      const facts = await bucket.factsOf(known.key);
      if (facts?.size !== file.size) return null;
      used.add(known.key);
      return storedCopy(file, known.key);
    },
    async put(part, file, bytes) {
      const former = sent.get(`${part}/${file.name}`);
      const key = newKey(part);
      const line = { key, part, name: file.name, size: file.size, isWhole: false };
      await appendLine(line);
      const writer = new ObjectWriter({ bucket, key, tmp, onPart: async () => {} });
      const hash = createHash('sha256');
      try {
        for await (const piece of bytes) {
          hash.update(piece);
          await writer.write(piece);
        }
        await writer.end();
        await writeLabel(bucket, key, { area: part, ...file, sha256: hash.digest('hex') });
      } catch (error) {
        await writer.close();
        await drop(key).catch(() => undefined); // on failure, the next copy deletes the object
        throw error;
      }
      await writer.close();
      await appendLine({ ...line, isWhole: true });
      if (former !== undefined) {
        used.delete(former.key);
        await drop(former.key).catch(() => undefined); // on failure, `removeUnused` tries again
      }
      return storedCopy(file, key);
    },
    async removeUnused() {
      for (const { key } of sent.values()) if (!used.has(key)) await drop(key);
    },
    end: () => rm(record, { force: true }),
    close: () => bucket.close(),
  };
}

/**
 * Reads the record of a copy. `sent` contains the latest complete object for each area and name.
 * `left` contains the keys of incomplete or replaced objects. A last line that a full disk or a
 * crash truncated is removed. Otherwise the next line would be appended to the truncated line.
 */
async function readRecord(file: string): Promise<{ sent: Map<string, Sent>; left: Set<string> }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  const sent = new Map<string, Sent>();
  const left = new Set<string>();
  for (const line of whole.split('\n').slice(0, -1)) {
    const one: Sent = JSON.parse(line);
    left.add(one.key);
    if (one.isWhole) sent.set(`${one.part}/${one.name}`, one);
  }
  for (const { key } of sent.values()) left.delete(key);
  return { sent, left };
}
