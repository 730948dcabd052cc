import { createRequire } from 'node:module';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

const require = createRequire(import.meta.url);

/**
 * Compiles how an answer is written when it is written for the first time: to load the compiler, and to compile some
 * eighty answers of which most are never given, was a sixth of a start. What is asked for is read by `parameters.ts` and
 * `json-body.ts`, so that no validator is loaded.
 */
export const lateCompilers: Compilers = {
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
