import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument, Operation } from '../../src/http/shared/routes/openapi.ts';
import { type Known, knownValues, usualValues } from './known.ts';
import { oddBodies, oddTexts, oddValues } from './words.ts';

/** A request body with its content type. */
export interface Content {
  readonly type: string;
  readonly body: string | Buffer;
}

/**
 * Generates a body of the documented kind, or an unexpected body. Occasionally generates a body
 * where none is documented.
 */
export function contentOf(
  requestBody: Operation['requestBody'],
  document: OpenApiDocument,
  known: Known,
): Arbitrary<Content | null> {
  const odd = fc.constantFrom(...oddBodies).map((body) => ({ type: 'application/json', body }));
  const [[type, content] = [null, null]] = Object.entries(requestBody?.content ?? {});
  if (type === null || content === null) {
    return fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, odd);
  }
  if (type === 'multipart/form-data') return fc.oneof({ arbitrary: form, weight: 6 }, odd);
  if (type !== 'application/json') {
    return fc.oneof({ arbitrary: bytes.map((body) => ({ type, body })), weight: 6 }, odd);
  }
  const schema = resolved(content.schema, document);
  const names = Object.keys('properties' in schema ? (schema.properties as object) : {});
  const field = fc
    .constantFrom(...names, ...names, '__proto__', 'constructor', 'id', 'x')
    .chain((name) => {
      const usual = fc.constantFrom<unknown>(
        ...(Object.hasOwn(knownValues, name)
          ? (knownValues[name] ?? [])
          : usualValues(known, name)),
      );
      return fc.tuple(fc.constant(name), fc.oneof({ arbitrary: usual, weight: 2 }, oddValues));
    });
  const object = fc
    .array(field, { maxLength: 5 })
    .map((fields) => `{${fields.map((pair) => pair.map(json).join(':')).join(',')}}`);
  return fc
    .oneof(
      { arbitrary: object, weight: 6 },
      odd.map(({ body }) => body),
    )
    .map((body) => {
      return { type, body };
    });
}

const bytes = fc.constantFrom('', 'a', 'PK\u0003\u0004', 'x'.repeat(60_000)).map(Buffer.from);

const form: Arbitrary<Content> = fc
  .tuple(
    fc.constantFrom('file', 'file', 'file', 'other', '__proto__', 'constructor'),
    fc.option(fc.constantFrom('a.zip', 'b.iso', 'c (1).zip', ...oddTexts), { freq: 8 }),
    fc.constantFrom('', 'text', '\x89PNG\r\n\x1a\n', 'x'.repeat(60_000)),
    fc.constantFrom('--b--\r\n', '--b--\r\n', '--b--\r\n', '--b', ''),
  )
  .map(([field, filename, content, end]) => {
    const name = filename === null ? '' : `; filename="${filename.replaceAll('"', '%22')}"`;
    const header = `--b\r\nContent-Disposition: form-data; name="${field}"${name}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(header + content), Buffer.from(`\r\n${end}`)]);
    return { type: 'multipart/form-data; boundary=b', body };
  });

function resolved(schema: object, { components }: OpenApiDocument): object {
  if (!('$ref' in schema)) return schema;
  const name = String(schema.$ref).split('/').at(-1) ?? '';
  return components.schemas[name] ?? {};
}

/** Like `JSON.stringify`, but writes 1e308 as 1e400, which overflows a double. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('1e+308', '1e400');
