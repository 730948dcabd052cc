import type { TObject } from 'typebox';
import { FileContent, type RouteDescription } from './route.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
}

/** Returns the path, query and header parameters of a route. Only path parameters are required. */
export function parametersOf(route: RouteDescription): Parameter[] {
  return [
    ...fromSchema('path', route.params),
    ...fromSchema('query', route.query),
    ...Object.entries(route.requestHeaders ?? {}).map(([name, text]) => header(name, text)),
    ...(route.response instanceof FileContent ? conditions : []),
    ...(route.entityTag?.startsWith('read') ? [ifNoneMatch] : []),
    ...(route.entityTag === 'write' ? [ifMatch] : []),
  ];
}

function fromSchema(where: 'path' | 'query', schema: TObject | undefined): Parameter[] {
  const properties: Readonly<Record<string, { description?: string }>> = schema?.properties ?? {};
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path',
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

const ifNoneMatch = header('If-None-Match', 'the `ETag` of the known version');
/** Conditional and range headers of RFC 9110, 13.1 and 14.2. */
const conditions: readonly Parameter[] = [
  ifNoneMatch,
  header('If-Modified-Since', 'the `Last-Modified` of the known version'),
  header('Range', 'one range, such as `bytes=0-1023`'),
  header('If-Range', 'the `ETag` or `Last-Modified` to which the range belongs'),
];
const ifMatch = header('If-Match', 'the `ETag` of the version to change');

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}
