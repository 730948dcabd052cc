import type { paths } from './schema.ts';

// The types of a request and its response, by method and path of the OpenAPI document.

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * The paths in the OpenAPI document that have this method. A parameter in a path is written as
 * `{name}`.
 */
export type PathOf<M extends Method> = {
  [P in keyof paths]: OperationAt<M, P> extends never ? never : P;
}[keyof paths];

/** The operation of a method and path, or `never` if the document has no such operation. */
type OperationAt<M extends Method, P extends keyof paths> = Extract<
  paths[P][Lowercase<M>],
  { responses: unknown }
>;

/** Type of the JSON response of an operation. */
export type JsonOf<Operation> = Operation extends { responses: { 200: Json<infer Body> } }
  ? Body
  : never;

export type ResponseAt<M extends Method, P extends PathOf<M>> = JsonOf<OperationAt<M, P>>;

/** The parameters in a path. A request must contain all of them. */
export type Parameters<M extends Method, P extends PathOf<M>> =
  OperationAt<M, P> extends {
    parameters: { path: infer Path };
  }
    ? { readonly path: Path }
    : { readonly path?: never };

type Query<M extends Method, P extends PathOf<M>> =
  OperationAt<M, P> extends {
    parameters: { query?: infer Query };
  }
    ? { readonly query?: { readonly [Name in keyof Query]: Query[Name] | undefined } }
    : { readonly query?: never };

/** Type of the JSON body of a request. */
export type BodyAt<M extends Method, P extends PathOf<M>> = NonNullable<Body<M, P>['body']>;

type Body<M extends Method, P extends PathOf<M>> = BodyOf<OperationAt<M, P>>;

type BodyOf<Operation> = Operation extends { requestBody: Json<infer Content> }
  ? { readonly body: Content }
  : Operation extends { requestBody?: Json<infer Content> }
    ? { readonly body?: Content }
    : { readonly body?: never };

interface Json<Content> {
  content: { 'application/json': Content };
}

/** The parameters, JSON body, headers and abort signal of a request with this method and path. */
export type RequestOptions<M extends Method, P extends PathOf<M>> = Parameters<M, P> &
  Query<M, P> &
  Body<M, P> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal | undefined;
  };

/**
 * The last argument of a function that sends a request. The argument is optional if the request
 * needs neither parameters nor a body.
 */
export type RequestArguments<Q> = object extends Q ? [options?: Q] : [options: Q];
