import type { FastifySchemaCompiler } from 'fastify';
import type { TObject } from 'typebox';
import { invalidField, notFound } from '../../core/shared/errors.ts';

/**
 * Reads path and query parameters by their schema: the first value of a repeated one counts, integers are an optional
 * sign and digits with blanks around ignored, beyond 2^53 they are clamped (decisions.md). Bodies are left to their
 * handlers, because an unknown object is told before a wrong body.
 */
export const readParameters: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
  if (httpPart !== 'params' && httpPart !== 'querystring') return () => true;
  const properties = Object.entries(schema.properties as Record<string, Property>);
  return (given: Record<string, string | string[] | undefined>) => {
    const value: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const all = given[name];
      const text = Array.isArray(all) ? all[0] : all;
      // An empty segment is another path, `/api/releases/`, which nobody serves.
      if (text === '' && httpPart === 'params') return { error: notFound() };
      if (text === undefined) value[name] = property.default;
      else if (property.type !== 'integer') value[name] = text;
      else {
        const integer = parseInteger(text);
        if (integer === null) return { error: invalidField(name, 'must be an integer') };
        value[name] = integer;
      }
    }
    return { value };
  };
};

interface Property {
  readonly type: string;
  readonly default?: unknown;
}

/** Null when the text is no integer. */
export function parseInteger(text: string): number | null {
  if (!/^\s*[+-]?[0-9]+\s*$/.test(text)) return null;
  const clamped = Math.min(
    Math.max(Number(text), Number.MIN_SAFE_INTEGER),
    Number.MAX_SAFE_INTEGER,
  );
  return clamped + 0; // -0 becomes 0
}
