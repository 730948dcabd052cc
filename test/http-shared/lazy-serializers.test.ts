import { describe, expect, test } from 'vitest';
import { lazySerializers, withNullable } from '../../src/http/shared/server/lazy-serializers.ts';

const text = { type: 'string', format: 'date-time' };
const owner = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

describe('withNullable', () => {
  test('a union of a type and null becomes that type with nullable', () => {
    const union = { ...orNull(text), description: 'the last use' };
    const schema = { type: 'array', items: { type: 'object', properties: { used_at: union } } };
    expect(withNullable(schema)).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: { used_at: { ...text, description: 'the last use', nullable: true } },
      },
    });
  });

  test('other unions stay as they are', () => {
    const references = { anyOf: [{ $ref: 'User#' }, { type: 'null' }] };
    const numbers = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
    const three = { anyOf: [text, { type: 'integer' }, { type: 'null' }] };
    for (const schema of [references, numbers, three]) expect(withNullable(schema)).toEqual(schema);
  });
});

describe('lazySerializers', () => {
  test('write values and null by shared schemas and by those of a route', () => {
    const shared = { $id: 'Token', type: 'object', properties: { used_at: orNull(text) } };
    const properties = {
      token: { $ref: 'Token#' },
      owner: orNull(owner),
      count: orNull({ type: 'integer' }),
      names: orNull({ type: 'array', items: { type: 'string' } }),
    };
    const serialize = serializerOf({ type: 'object', properties }, { Token: shared });
    const used = '2026-11-28T16:00:00.000Z';
    const values = { token: { used_at: used }, owner: { name: 'a' }, count: 0, names: ['b'] };
    const nulls = { token: { used_at: null }, owner: null, count: null, names: null };
    for (const data of [values, nulls]) expect(serialize(data)).toBe(JSON.stringify(data));
  });
});

function serializerOf(schema: object, schemas: object): (data: unknown) => string {
  const build = lazySerializers.buildSerializer as (
    schemas: object,
    options: object,
  ) => (route: object) => (data: unknown) => string;
  return build(schemas, {})({ schema, method: 'GET', url: '/', httpStatus: '200' });
}
