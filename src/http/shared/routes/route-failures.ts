import {
  badRequest,
  bodyTooLarge,
  busy,
  type CatalogError,
  insufficientStorage,
  invalidField,
  invalidJsonBody,
  malformedUpload,
  stopping,
  unsupportedMediaType,
} from '../../../core/shared/errors.ts';
import { type IntegerRule, invalidChoice } from './parameters.ts';
import type { RouteDescription } from './route.ts';

/**
 * Returns the errors that a route may throw. Some follow from the route's parameters, body and
 * method; the others are listed in its description. Errors of the access check are not included.
 */
export function failuresOf(
  { method, path }: { method: string; path: string },
  route: RouteDescription,
  integers: IntegerRule,
): CatalogError[] {
  const writes = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  return [
    ...(path.includes('{') ? [badRequest()] : []),
    ...parameterFailures(route, integers),
    ...(route.failures ?? []),
    ...bodyFailures(route.body),
    ...(writes ? [insufficientStorage()] : []),
    busy(),
    stopping(),
  ];
}

/** Returns the errors that `parameterReader` may throw. */
function parameterFailures({ params, query }: RouteDescription, { isLenient }: IntegerRule) {
  const properties: [string, { type?: unknown; enum?: readonly string[] }][] = [
    ...Object.entries(params?.properties ?? {}),
    ...Object.entries(query?.properties ?? {}),
  ];
  const readsInteger = properties.some(([, { type }]) => type === 'integer');
  return [
    ...(readsInteger && !isLenient ? [invalidField('<parameter>', 'must be an integer')] : []),
    ...properties.flatMap(([name, { enum: choices }]) =>
      choices === undefined ? [] : [invalidChoice(name, choices)],
    ),
  ];
}

function bodyFailures(body: RouteDescription['body']): CatalogError[] {
  if (body === undefined) return [];
  const both = [bodyTooLarge(), unsupportedMediaType()];
  if (body === 'chunk') return [...both, badRequest()];
  return body === 'upload'
    ? [...both, malformedUpload(), invalidField('file', 'file part is required')]
    : [...both, invalidJsonBody(), invalidField('<field>', '<problem>')];
}
