import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Operation } from '../src/http/shared/routes/openapi.ts';

/** A request to a server, and the response as received. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Headers that the document must declare for each response that contains them. */
const documentedHeaders = [
  'set-cookie',
  'content-disposition',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'retry-after',
  'www-authenticate',
];

/**
 * Compares responses with an OpenAPI document. A field that the document does not declare is a
 * deviation.
 */
export class Contract {
  readonly #document: OpenApiDocument;
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];
  readonly #ajv = new Ajv2020({ strict: false, formats: { binary: true, 'date-time': timestamp } });

  readonly #ignored: RegExp;

  /**
   * `ignored` is a pattern for a part of the path. The part is replaced by the pattern's first
   * group before the path is looked up.
   */
  constructor(document: OpenApiDocument, ignored = /^()$/) {
    this.#ignored = ignored;
    this.#document = document;
    this.#paths = Object.keys(document.paths).map((template) => ({
      template,
      pattern: pathPattern(template),
    }));
    this.#ajv.addSchema(rejectUndeclaredFields(document), 'api');
  }

  /**
   * Returns the deviations of a response from the document, or an empty array if the response
   * conforms.
   */
  findDeviations(exchange: Exchange): string[] {
    const path = exchange.path.replace(/[?#].*$/s, '').replace(this.#ignored, '$1');
    const template = this.#paths.find(({ pattern }) => pattern.test(path))?.template;
    const operations = template === undefined ? undefined : this.#document.paths[template];
    const isHead = exchange.method === 'HEAD';
    // HEAD works for every path with GET, so the document does not list HEAD. The exception is HEAD
    // of an upload, which is an operation of tus.
    if (isHead && template === '/api/uploads/{upload_id}') return this.#emptyFaults(exchange);
    const operation = operations?.[isHead ? 'get' : exchange.method.toLowerCase()];
    if (template === undefined || operation === undefined) return this.#refusalFaults(exchange);
    const response = operation.responses[exchange.status];
    const documented = Object.keys(operation.responses);
    if (response === undefined) return [`${exchange.status} is none of ${documented}`];
    return [
      ...headerFaults(exchange, response.headers ?? {}),
      ...(isHead
        ? this.#emptyFaults(exchange)
        : this.#contentFaults(exchange, template, response.content)),
    ];
  }

  /**
   * Checks a request that is not an operation of the document. The server must refuse the request
   * with the standard error format. If the document describes only paths below `/api/`, a
   * successful response outside `/api` is allowed, because it may be the page.
   */
  #refusalFaults({ method, path, status, body }: Exchange): string[] {
    const leavesRoomForPage = this.#paths.every(({ template }) => template.startsWith('/api/'));
    if (status < 400 && leavesRoomForPage && !/^\/api(?:[/?]|$)/i.test(path)) return [];
    if (status < 400) return [`${status}, but the document has no such operation`];
    if (method === 'HEAD') return [];
    return this.#bodyFaults('api#/components/schemas/Error', body);
  }

  #contentFaults(exchange: Exchange, template: string, content: Content): string[] {
    const { method, status, headers, body } = exchange;
    if (content === undefined) return this.#emptyFaults(exchange);
    const [type = ''] = String(headers['content-type']).split(';');
    if (!Object.hasOwn(content, type)) return [`${type} is none of ${Object.keys(content)}`];
    if (type !== 'application/json') return [];
    const parts = ['paths', template, method.toLowerCase(), 'responses', status, 'content', type];
    const pointer = parts.map((part) => encodeURIComponent(escapePointer(String(part)))).join('/');
    return this.#bodyFaults(`api#/${pointer}/schema`, body);
  }

  #emptyFaults({ body }: Exchange): string[] {
    return body === '' ? [] : ['it has a body'];
  }

  #bodyFaults(schema: string, body: string): string[] {
    const validate = this.#ajv.getSchema(schema);
    if (validate === undefined) return [`there is no schema at ${schema}`];
    if (validate(JSON.parse(body)) === true) return [];
    const { errors } = validate;
    return (errors ?? []).map(
      (error) => `${error.instancePath} ${error.message}: ${JSON.stringify(error.params)}`,
    );
  }
}

type Content = Operation['responses'][string]['content'];
type Headers = NonNullable<Operation['responses'][string]['headers']>;

function headerFaults({ headers }: Exchange, documented: Headers): string[] {
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  return [
    ...Object.entries(documented).flatMap(([name, { required, schema }]) => {
      const value = headers[name.toLowerCase()];
      if (value === undefined) return required ? [`it has no ${name}`] : [];
      return schema.type === 'integer' && !/^\d+$/.test(String(value)) ? [`${name}: ${value}`] : [];
    }),
    ...documentedHeaders
      .filter((name) => name in headers && !names.includes(name))
      .map((name) => `${name} is not in the document`),
  ];
}

/** Format of a timestamp: UTC, with milliseconds. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns a pattern for the paths of a template such as `/api/users/{user_id}`. A parameter matches
 * any text without a slash.
 */
function pathPattern(template: string): RegExp {
  const literal = template.split(/\{\w+\}/).map((part) => part.replace(/[.]/g, '\\.'));
  return new RegExp(`^${literal.join('[^/]+')}$`);
}

/**
 * Returns a copy of the document in which object schemas reject undeclared fields. Schemas with
 * their own `additionalProperties` do not change.
 */
function rejectUndeclaredFields<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    value?.type === 'object' ? { additionalProperties: false, ...value } : value,
  );
}

/** Escapes one segment of a JSON pointer (RFC 6901). */
const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
