import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument, Operation } from '../../src/http/shared/routes/openapi.ts';
import { contentOf } from './contents.ts';
import { type Known, usualValues } from './known.ts';
import { oddNumbers, oddPathParts, oddTexts, oddTypes } from './words.ts';

/** A request without the credentials of its sender. */
export interface GeneratedRequest {
  readonly method: string;
  /** Path and query, encoded as they are sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** True if the body is sent with chunked encoding, without a length. */
  readonly isChunked: boolean;
  /** The operation in the document, such as `GET /api/releases`; null if the document has none. */
  readonly operation: string | null;
}

/**
 * Generates requests as a document describes them. Replaces some parts of the requests by
 * unexpected values.
 */
export function requestsOf(document: OpenApiDocument, known: Known): Arbitrary<GeneratedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestOf(method.toUpperCase(), path, operation, document, known),
    ),
  );
  return fc.oneof(
    { arbitrary: fc.oneof(...operations), weight: 19 },
    { arbitrary: unknownPath, weight: 1 },
  );
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const unknownPath: Arbitrary<GeneratedRequest> = fc
  .tuple(
    fc.constantFrom(...methods),
    fc.array(fc.constantFrom('api', 'store', 'download', 'cover', 'docs', ...oddPathParts), {
      maxLength: 5,
    }),
    fc.boolean(),
  )
  .map(([method, parts, isApi]) => ({
    method,
    path: sendable(`${isApi ? '/api/' : '/'}${parts.join('/')}`),
    headers: {},
    body: undefined,
    isChunked: false,
    operation: null,
  }));

function requestOf(
  method: string,
  template: string,
  { parameters = [], requestBody }: Operation,
  document: OpenApiDocument,
  known: Known,
): Arbitrary<GeneratedRequest> {
  const some = (odd: readonly string[], name: string) => {
    const usual = usualValues(known, name);
    return fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 3 }, fc.constantFrom(...odd));
  };
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const oddOf = ({ schema }: { schema: object }) =>
    'type' in schema && schema.type === 'integer' ? [...oddNumbers, ...oddTexts] : oddTexts;
  const path = fc.tuple(
    ...of('path').map((parameter) =>
      fc.oneof(
        some(oddOf(parameter), parameter.name).map((text) => encode(text)),
        fc.constantFrom(...oddPathParts),
      ),
    ),
  );
  const pairs = of('query').map((parameter) =>
    some(oddOf(parameter), parameter.name).map((value) => [parameter.name, value] as const),
  );
  const stray = fc.tuple(
    fc.constantFrom('__proto__', 'q[]', 'q[a]', 'constructor', '', 'x', '%zz'),
    fc.constantFrom(...oddTexts),
  );
  const headers = fc.tuple(
    ...of('header').map(({ name }) =>
      fc.option(some(oddTexts, name.toLowerCase()).map((value) => [name, value] as const)),
    ),
  );
  return fc
    .record({
      method: fc.oneof({ arbitrary: fc.constant(method), weight: 12 }, fc.constantFrom(...methods)),
      parts: path,
      query: fc.array(fc.oneof(...pairs, stray), { maxLength: 4 }),
      headers,
      content: contentOf(requestBody, document, known),
      type: fc.oneof({ arbitrary: fc.constant(null), weight: 8 }, fc.constantFrom(...oddTypes)),
      isChunked: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    })
    .map(({ method: sent, parts, query, headers: given, content, type, isChunked }) => {
      let at = 0;
      const filled = template.replace(/\{\w+\}/g, () => parts[at++] ?? '');
      const texts = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
      const fields = given.filter((field) => field !== null);
      return {
        method: sent,
        path: sendable(filled + (texts.length > 0 ? `?${texts.join('&')}` : '')),
        headers: {
          ...Object.fromEntries(fields.map(([name, value]) => [name, headerText(value)])),
          ...(content && { 'content-type': type === null ? content.type : type.trim() }),
        },
        body: content?.body,
        isChunked,
        operation: sent === method ? `${method} ${template}` : null,
      };
    });
}

/**
 * Percent-encodes a text. A text with a lone surrogate becomes a fixed sequence of invalid UTF-8.
 */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}

/**
 * Makes a path valid for Node's client, which accepts only printable ASCII without spaces.
 * Truncates the path to fit the size limit of request headers.
 */
function sendable(path: string): string {
  return path.slice(0, 12_000).replace(/[^\x21-\x7e]/g, encode);
}

function headerText(text: string): string {
  return text.slice(0, 2_000).replace(/[^\t\x20-\x7e]/g, '?');
}
