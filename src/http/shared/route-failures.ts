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
} from '../../core/shared/errors.ts';
import type { IntegerRule } from './parameters.ts';
import type { RouteDescription } from './route.ts';

/** The failures of a route that follow from what it reads and sends, and those that it names; access is apart. */
export function failuresOf(
  { method, path }: { method: string; path: string },
  route: RouteDescription,
  integers: IntegerRule,
): CatalogError[] {
  const writes = method !== 'GET';
  return [
    ...(path.includes('{') ? [badRequest()] : []),
    ...(readsInteger(route) && !integers.isLenient
      ? [invalidField('<parameter>', 'must be an integer')]
      : []),
    ...(route.failures ?? []),
    ...bodyFailures(route.body),
    ...(writes ? [insufficientStorage()] : []),
    busy(),
    stopping(),
  ];
}

function readsInteger({ params, query }: RouteDescription): boolean {
  const properties = [params, query].flatMap((schema) => Object.values(schema?.properties ?? {}));
  return properties.some((property) => 'type' in property && property.type === 'integer');
}

function bodyFailures(body: RouteDescription['body']): CatalogError[] {
  if (body === undefined) return [];
  const both = [bodyTooLarge(), unsupportedMediaType()];
  return body === 'upload'
    ? [...both, malformedUpload(), invalidField('file', 'file part is required')]
    : [...both, invalidJsonBody(), invalidField('<field>', '<problem>')];
}
