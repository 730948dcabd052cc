import { crossOrigin, forbidden, notAuthenticated } from '../../core/shared/errors.ts';
import {
  type DocumentedEndpoint,
  headSentence,
  type OpenApiDocument,
  openApiDocument,
} from '../shared/routes/openapi.ts';
import { type Access, allowsAnonymous } from './accounts/access.ts';
import { sessionCookie } from './accounts/presented-token.ts';
import { integers } from './register.ts';
import type { Endpoint } from './route.ts';
import { sharedSchemas } from './schemas.ts';

/**
 * Returns the OpenAPI document of these endpoints. `basePath` is the server's path prefix; "" for
 * the root.
 */
export function describeApi(
  endpoints: readonly Endpoint[],
  version: string,
  basePath: string,
): OpenApiDocument {
  return openApiDocument({
    basePath,
    info: {
      title: 'Catalog',
      version,
      description:
        'The account API. Errors are `{"detail": "..."}`. Programs send their token as bearer, web pages as cookie. ' +
        headSentence,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      cookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
    },
    schemas: sharedSchemas,
    integers,
    endpoints: endpoints.map(describeEndpoint),
  });
}

function describeEndpoint([number, method, path, access, route]: Endpoint): DocumentedEndpoint {
  const origin = number === null ? 'an extension' : `endpoint ${number}`;
  const open = route.readsCredentials ? 'optional' : 'none';
  return {
    method,
    path,
    description: `${origin}; for ${describeCallers(access)}`,
    route,
    credentials: allowsAnonymous(access) ? open : 'required',
    failures: accessFailures(method, access),
  };
}

function describeCallers(access: Access): string {
  if (allowsAnonymous(access)) return 'everyone';
  return access === 'admin' ? 'role admin' : `role ${access} or higher`;
}

const isReadMethod = (method: string) => method === 'GET' || method === 'HEAD';

/**
 * Returns the errors that `requireRole` may throw. Every user has at least the role `user`, so only
 * higher roles cause `forbidden`. Only writes are checked for their origin.
 */
function accessFailures(method: string, access: Access) {
  if (allowsAnonymous(access)) return [];
  return [
    notAuthenticated(),
    ...(access === 'user' ? [] : [forbidden()]),
    ...(isReadMethod(method) ? [] : [crossOrigin()]),
  ];
}
