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
        compile ??= loadFactory()(mapValues(schemas as object, withNullable), options);
        serialize ??= compile({ ...route, schema: withNullable(route.schema) });
        return serialize(data);
      };
    };
  },
};

/**
 * Returns a JSON schema in which each union of a type and null is that type with `nullable: true`
 * (OpenAPI 3.0). For a union, the serializer validates each value to find its type, which takes
 * several times as long as writing the value.
 */
export function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...fields } = schema as { anyOf?: { type?: unknown }[] };
  const [value, other] = anyOf ?? [];
  if (anyOf?.length === 2 && typeof value?.type === 'string' && other?.type === 'null') {
    return mapValues({ ...value, ...fields, nullable: true }, withNullable);
  }
  return mapValues(schema, withNullable);
}

function mapValues(fields: object, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

function loadFactory(): SerializerFactory {
  return require('@fastify/fast-json-stringify-compiler').SerializerSelector();
}
