import type { IncomingMessage } from 'node:http';
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  bodyTooLarge,
  invalidField,
  invalidJsonBody,
  unsupportedMediaType,
} from '../../../core/shared/errors.ts';

/** Maximum size of a JSON body in bytes, 1 MiB (docs/api/decisions.md). */
const maxBytes = 1_048_576;
/**
 * Timeout for reading a JSON body, in milliseconds. A body of at most 1 MiB has no reason to take
 * longer.
 */
const timeoutMs = 30_000;

/**
 * Reads the bytes of a JSON body. Returns no bytes for a missing or empty body. Throws
 * `unsupported media type` for another content type or any content encoding. Throws
 * `body too large` for more than 1 MiB.
 */
export async function readJsonBytes(raw: IncomingMessage): Promise<Buffer> {
  const { headers } = raw;
  if (!isIdentityEncoding(headers['content-encoding'])) throw unsupportedMediaType();
  const type = headers['content-type'];
  if (type !== undefined && !/^\s*application\/json\s*(;|$)/i.test(type))
    throw unsupportedMediaType();
  const bytes = await readAll(raw);
  if (bytes.length > 0 && type === undefined) throw unsupportedMediaType();
  return bytes;
}

/**
 * Marks a field that the route validates itself. The field's value is passed on unchecked; its
 * schema is documentation only.
 */
export const validatedByRoute = Symbol('validatedByRoute');

/**
 * Returns a function that reads the known fields of a route's JSON body. The function throws
 * `invalid JSON body` if the bytes are not a JSON object. It throws a 422 that names the first
 * field of the wrong type.
 */
export function jsonBodyReader<T extends TObject>(schema: T): (bytes: Buffer) => Static<T> {
  const read = fieldReader(schema);
  return (bytes) => read(parseObject(bytes));
}

/**
 * Returns a function that reads an object's known fields. The function throws a 422 that names the
 * first field of the wrong type.
 */
export function fieldReader<T extends TObject>(
  schema: T,
): (object: Readonly<Record<string, unknown>>) => Static<T> {
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    return { name, validator: validatedByRoute in property ? null : Compile(property) };
  });
  return (object) => {
    const known: Record<string, unknown> = {};
    for (const { name, validator } of fields) {
      if (!Object.hasOwn(object, name)) continue;
      const value = object[name];
      if (validator !== null && !validator.Check(value)) {
        const [error] = validator.Errors(value);
        throw invalidField(name, error?.message ?? 'has the wrong type');
      }
      known[name] = value;
    }
    return known as Static<T>; // safe: each field was checked by its schema
  };
}

export function isIdentityEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity';
}

async function readAll(raw: IncomingMessage): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => raw.destroy(), timeoutMs);
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLarge();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text, (_key, item) =>
      typeof item === 'string' ? item.toWellFormed() : item,
    );
  } catch {
    throw invalidJsonBody();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidJsonBody();
  return value as Record<string, unknown>;
}
