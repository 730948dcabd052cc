import type { TSchema } from 'typebox';
import type { CatalogError } from '../../../core/shared/errors.ts';
import { chunkType } from '../bodies/chunk-body.ts';
import { type Parameter, parametersOf } from './openapi-parameters.ts';
import { type Responses, responsesOf } from './openapi-responses.ts';
import type { IntegerRule } from './parameters.ts';
import type { RouteDescription } from './route.ts';
import { failuresOf } from './route-failures.ts';

/** One endpoint, as the OpenAPI document describes it. */
export interface DocumentedEndpoint {
  readonly method: string;
  /** The endpoint's path, with parameters written as `{name}`. */
  readonly path: string;
  /** A text that states the endpoint's number and the clients that may call the endpoint. */
  readonly description: string;
  readonly route: RouteDescription;
  readonly credentials: 'none' | 'optional' | 'required';
  /** The errors that the endpoint's access check may throw. */
  readonly failures: readonly CatalogError[];
}

/** An API, as the OpenAPI document describes it. */
export interface DocumentedApi {
  readonly info: Readonly<Record<string, unknown>>;
  /** Path prefix of the server, such as `/catalog`; undefined or "" for the root. */
  readonly basePath?: string;
  readonly securitySchemes: Readonly<Record<string, object>>;
  /**
   * Schemas that other schemas refer to by `$id`. They include `Error`, the body of every error.
   */
  readonly schemas: readonly TSchema[];
  readonly integers: IntegerRule;
  readonly endpoints: readonly DocumentedEndpoint[];
}

/** The parts of an OpenAPI 3.1 document that the APIs need. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

export interface RequestBody {
  readonly required?: true;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

/**
 * Builds the OpenAPI document of an API from the schemas that parse its requests and serialize its
 * responses.
 */
export function openApiDocument(api: DocumentedApi): OpenApiDocument {
  const byPath = Map.groupBy(api.endpoints, ({ path }) => path);
  const paths = Object.fromEntries(
    [...byPath].map(([path, endpoints]) => [path, operationsOf(endpoints, api)]),
  );
  const schemas = Object.fromEntries(api.schemas.map((schema) => [idOf(schema), schema]));
  const { info, securitySchemes, basePath = '' } = api;
  const components = { schemas, securitySchemes };
  return plainJson({
    openapi: '3.1.0',
    info,
    servers: [{ url: basePath || '/' }],
    paths,
    components,
  });
}

/**
 * The sentence about HEAD in the OpenAPI document. HEAD operations are not listed, because they
 * would repeat every GET.
 */
export const headSentence = 'HEAD is answered wherever GET is, without a body.';

/** Returns the operations of a path by method. */
function operationsOf(endpoints: readonly DocumentedEndpoint[], api: DocumentedApi) {
  const listed = endpoints.filter(({ method }) => method !== 'HEAD');
  return Object.fromEntries(
    listed.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint, api)]),
  );
}

function operationOf(endpoint: DocumentedEndpoint, api: DocumentedApi): Operation {
  const { method, path, route, description, credentials } = endpoint;
  const failures = [...endpoint.failures, ...failuresOf(endpoint, route, api.integers)];
  const parameters = parametersOf(route);
  const schemes = Object.keys(api.securitySchemes).map((name) => ({ [name]: [] }));
  return {
    operationId: operationId(method, path),
    tags: path.split('/').slice(2, 3),
    summary: route.summary,
    description,
    security: { none: [], optional: [{}, ...schemes], required: schemes }[credentials],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body) }),
    responses: responsesOf(route, failures),
  };
}

/**
 * Returns the name of an operation for generated clients, such as `getUsersUserIdTokens` for `GET
 * /api/users/{user_id}/tokens`.
 */
function operationId(method: string, path: string): string {
  const words = path.replace('/api', '').split(/[^a-z]+/i);
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + (capitals.join('') || 'Index');
}

const bytes = { type: 'string', format: 'binary' };

function requestBodyOf(body: Exclude<RouteDescription['body'], undefined>): RequestBody {
  if (body === 'chunk') return { required: true, content: { [chunkType]: { schema: bytes } } };
  if (body !== 'upload') return { content: { 'application/json': { schema: body } } };
  const file = { ...bytes, description: 'the file part' };
  const schema = { type: 'object', required: ['file'], properties: { file } };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

/**
 * Removes fields that only the schema library uses, and makes references point to the document's
 * components.
 */
function plainJson(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(
    JSON.stringify(document, (key, value) => {
      if (key === '$id') return undefined;
      return key === '$ref' ? `#/components/schemas/${value}` : value;
    }),
  );
}

function idOf(schema: TSchema): string {
  return '$id' in schema ? String(schema.$id) : '';
}
