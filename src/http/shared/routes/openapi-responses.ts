import type { CatalogError } from '../../../core/shared/errors.ts';
import { statusOf } from '../server/send-error.ts';
import { FileContent, NoContent, type RouteDescription, TextContent } from './route.ts';

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  /** Absent if there is no body. */
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface Header {
  /** True if every response with this status has the header. */
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer' };
}

export type Responses = Readonly<Record<string, Response>>;

/** Returns the responses of a route by status. */
export function responsesOf(route: RouteDescription, failures: readonly CatalogError[]): Responses {
  return { ...successResponses(route), ...failureResponses(failures, route.errorSchema) };
}

function successResponses(route: RouteDescription): Responses {
  const { response } = route;
  if (response instanceof FileContent) return fileResponses(route, response);
  if (response instanceof TextContent) return textResponse(route, response);
  return response instanceof NoContent ? emptyResponse(route, response) : jsonResponse(route);
}

function emptyResponse({ summary }: RouteDescription, { status, headers }: NoContent): Responses {
  const documented = optionalHeaders(headers);
  const hasHeaders = Object.keys(documented).length > 0;
  return { [status]: { description: summary, ...(hasHeaders && { headers: documented }) } };
}

function optionalHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, header(text, { isRequired: false })]),
  );
}

function textResponse({ summary }: RouteDescription, { type, isBinary }: TextContent): Responses {
  const headers = { 'Content-Disposition': header('the name under which to save it') };
  const schema = { type: 'string', ...(isBinary && { format: 'binary' }) };
  return { 200: { description: summary, headers, content: { [type]: { schema } } } };
}

function jsonResponse({ summary, response, headers = {}, entityTag }: RouteDescription): Responses {
  const validators = { ETag: header('a strong validator') };
  const ofWhole = {
    ETag: header('a strong validator', { isRequired: entityTag !== 'read-mostly' }),
  };
  const all = { ...optionalHeaders(headers), ...(entityTag && ofWhole) };
  return {
    200: {
      description: summary,
      ...(Object.keys(all).length > 0 && { headers: all }),
      content: { 'application/json': { schema: response } },
    },
    ...(entityTag?.startsWith('read') && { 304: { description: unchanged, headers: validators } }),
  };
}

const unchanged = 'unchanged since the known version';

/** Returns the responses of `sendFile`: whole file, unchanged, range, and unsatisfiable range. */
function fileResponses({ summary }: RouteDescription, file: FileContent): Responses {
  const bytes = { schema: { type: 'string', format: 'binary' } };
  const content = Object.fromEntries(file.types.map((type) => [type, bytes]));
  const validators = {
    ETag: header('a strong validator'),
    'Last-Modified': header('when the file was stored'),
  };
  const headers = {
    ...validators,
    'Accept-Ranges': header('`bytes`'),
    'Content-Length': header('number of bytes that follow', { type: 'integer' }),
    ...(file.isAttachment && { 'Content-Disposition': header('the name under which to save it') }),
  };
  const range = header('`bytes <first>-<last>/<size>`');
  return {
    200: { description: summary, headers, content },
    304: { description: unchanged, headers: validators },
    206: {
      description: 'the requested range',
      headers: { ...headers, 'Content-Range': range },
      content,
    },
    416: {
      ...errorResponse('a range outside the file'),
      headers: { 'Content-Range': header('`bytes */<size>`') },
    },
  };
}

function failureResponses(failures: readonly CatalogError[], schema = 'Error'): Responses {
  const responses: Record<string, Response> = {
    500: errorResponse('`internal error`: a defect; see the log of the server'),
  };
  for (const [status, same] of Map.groupBy(failures, statusOf)) {
    const details = [...new Set(same.map(({ message }) => `\`${message}\``))];
    const headers = {
      ...(same.some(({ kind }) => kind === 'unauthenticated') && {
        'WWW-Authenticate': header('`Bearer`'),
      }),
      ...(same.every(({ retryAfter }) => retryAfter !== undefined) && {
        'Retry-After': header('number of seconds after which to try again', { type: 'integer' }),
      }),
    };
    responses[status] = {
      ...errorResponse(details.join(', '), schema),
      ...(Object.keys(headers).length > 0 && { headers }),
    };
  }
  return responses;
}

function errorResponse(description: string, schema = 'Error'): Response {
  return { description, content: { 'application/json': { schema: { $ref: schema } } } };
}

function header(
  description: string,
  {
    type = 'string',
    isRequired = true,
  }: { type?: 'string' | 'integer'; isRequired?: boolean } = {},
): Header {
  return { required: isRequired, description, schema: { type } };
}
