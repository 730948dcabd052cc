import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { CatalogError } from '../../../core/shared/errors.ts';

/** Describes one endpoint for the OpenAPI document, without its path and access. */
export interface RouteDescription {
  /** One line that says what the endpoint does. */
  readonly summary: string;
  readonly params?: TObject;
  /** The query parameters. None is required: each is optional or has a default. */
  readonly query?: TObject;
  /** Request headers that the route reads, with their descriptions. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /**
   * The request body: a JSON object, one uploaded file, or a chunk of an upload (tus). Undefined if
   * the request has no body.
   */
  readonly body?: TObject | 'upload' | 'chunk';
  /** Content of the response to a successful request. */
  readonly response: TSchema | FileContent | NoContent | TextContent;
  /** Headers of every response, including errors. */
  readonly commonHeaders?: Readonly<Record<string, string>>;
  /** Headers that a 200 response may have, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Set if 200 responses have a strong `ETag`.
   * - `read`: a matching `If-None-Match` results in 304.
   * - `read-mostly`: as `read`, but streamed responses have no tag.
   * - `write`: an `If-Match` that does not match results in 412, which `failures` lists.
   */
  readonly entityTag?: 'read' | 'read-mostly' | 'write';
  /** True if the route works without credentials, but reads credentials that are sent. */
  readonly readsCredentials?: true;
  /**
   * Errors of the route, except those that every route may have and those that follow from its
   * method, path, parameters, body and access.
   */
  readonly failures?: readonly CatalogError[];
  /** Id of the schema of error responses, if they have more fields than those of other routes. */
  readonly errorSchema?: string;
}

/** An endpoint of an API whose handlers work with `Parts`. */
export interface Route<
  Parts,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
> extends RouteDescription {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B | 'upload' | 'chunk';
  /** Resolves to the JSON of a 200 response, or sends the response itself. */
  handle(call: Call<Parts, P, Q, B>): Promise<unknown>;
}

/** One request, as passed to a handler. */
export interface Call<Parts, P extends TObject, Q extends TObject, B extends TObject> {
  readonly parts: Parts;
  readonly params: Static<P>;
  readonly query: Static<Q>;
  /**
   * Validates the JSON body and returns its known fields. Must be called only after checking that
   * the path's object exists. Throws `invalid JSON body`, or a 422 that names the first field of
   * the wrong type.
   */
  body(): Static<B>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * A response that is a text, or bytes, of this content type, produced while the client reads.
 * Browsers save it to a file.
 */
export class TextContent {
  readonly type: string;
  readonly isBinary: boolean;

  constructor(type: string, { isBinary = false }: { isBinary?: boolean } = {}) {
    this.type = type;
    this.isBinary = isBinary;
  }
}

/** A response that is a file of one of these content types, sent with `sendFile`. */
export class FileContent {
  readonly types: readonly string[];
  /** True if browsers save the file under a name instead of showing the file. */
  readonly isAttachment: boolean;

  constructor(types: readonly string[], { isAttachment }: { isAttachment: boolean }) {
    this.types = types;
    this.isAttachment = isAttachment;
  }
}

/** A response without a body, described by its status and the headers that it may have. */
export class NoContent {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: 200 | 201 | 204, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.headers = headers;
  }
}
