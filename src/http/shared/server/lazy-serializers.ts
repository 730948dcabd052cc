import { createRequire } from 'node:module';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

const require = createRequire(import.meta.url);

/**
 * Compiles each response serializer on first use. Loading the compiler and compiling all
 * serializers would slow down startup, although most of them are never used. No validator is
 * loaded, because `parameters.ts` and `json-body.ts` parse the requests.
 */
export const lazySerializers: Compilers = {
  buildValidator: () => () => {
    throw new Error('no route has the framework validate');
  },
  buildSerializer: (schemas, options) => {
    let compile: ReturnType<SerializerFactory> | undefined;
    return (route) => {
      let serialize: ((data: unknown) => string) | undefined;
      return (data) => {
        compile ??= loadFactory()(schemas, options);
        serialize ??= compile(route);
        return serialize(data);
      };
    };
  },
};

function loadFactory(): SerializerFactory {
  return require('@fastify/fast-json-stringify-compiler').SerializerSelector();
}
