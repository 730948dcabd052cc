import { unauthorized } from '../../core/shared/errors.ts';
import { headSentence, type OpenApiDocument, openApiDocument } from '../shared/routes/openapi.ts';
import type { Endpoint } from './route.ts';
import { sharedSchemas } from './schemas.ts';

/** An invalid integer is replaced by the parameter's default (minimal-api.md, endpoint 3). */
export const integers = { isLenient: true };

/** Returns the OpenAPI document of these endpoints. */
export function describeApi(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  return openApiDocument({
    info: {
      title: 'Catalog, minimal variant',
      version,
      description:
        'The read-only API of `catalog serve --minimal`, with at most one shared token. JSON is indented by two ' +
        'spaces. Errors are `{"error": "..."}`. A trailing slash on a path is ignored; if a query parameter is repeated, ' +
        `its first value is used. ${headSentence}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'the shared token in `CATALOG_API_TOKEN`, also accepted without `Bearer `; if no token is configured, the ' +
          'store is open',
      },
    },
    schemas: sharedSchemas,
    integers,
    endpoints: endpoints.map(([number, path, access, route]) => ({
      method: 'GET',
      path,
      description: `endpoint ${number}`,
      route,
      credentials: access === 'open' ? 'none' : 'optional',
      failures: access === 'open' ? [] : [unauthorized()],
    })),
  });
}
