import type { Static, TObject } from 'typebox';
import { type CatalogError, invalidField, notFound } from '../../../core/shared/errors.ts';

/** Path or query parameters as the router passes them. */
export type RawParameters = Readonly<Record<string, string | string[] | undefined>>;

/** How an API reads integers. */
export interface IntegerRule {
  /**
   * True to ignore whitespace around integers and to treat invalid integers as absent. False to
   * refuse both with 422.
   */
  readonly isLenient: boolean;
}

/**
 * Returns a function that reads a route's path or query parameters.
 * - If a parameter is repeated, its first value is used.
 * - An integer is an optional sign and digits, clamped to ±(2^53 - 1) (docs/api/decisions.md).
 * - `url` must be passed for query parameters, because decoding a query loses the `+` of a number.
 * - The function throws a 422 that names the parameter if its value is invalid, out of bounds or
 *   not one of the choices.
 * - The function throws `not found` for an empty path parameter, because the path is then a
 *   different one.
 */
export function parameterReader<T extends TObject>(
  schema: T,
  rule: IntegerRule,
): (given: RawParameters, url?: string) => Static<T> {
  const properties = Object.entries(schema.properties as Readonly<Record<string, Property>>);
  return (given, url) => {
    const values: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const all = given[name];
      const text = Array.isArray(all) ? all[0] : all;
      if (text === '' && url === undefined) throw notFound();
      if (text === undefined) values[name] = property.default;
      else if (property.type !== 'integer') values[name] = readText(name, text, property);
      else values[name] = readInteger(name, withSign(text, name, url ?? ''), property, rule);
    }
    return values as Static<T>; // safe: each property was read by its schema
  };
}

interface Property {
  readonly type: string;
  /**
   * The value of an absent parameter. Only a query parameter has a default, and only a query
   * parameter may be absent.
   */
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only allowed values. */
  readonly enum?: readonly string[];
}

/** Returns a 422 error for a parameter whose value is not one of the choices. */
export function invalidChoice(name: string, choices: readonly string[]): CatalogError {
  return invalidField(name, `must be ${choices.join(' or ')}`);
}

function readText(name: string, text: string, { enum: choices }: Property): string {
  if (choices === undefined || choices.includes(text)) return text;
  throw invalidChoice(name, choices);
}

function readInteger(name: string, text: string, property: Property, { isLenient }: IntegerRule) {
  const integer = parseInteger(isLenient ? text.trim() : text);
  if (integer === null) {
    if (!isLenient) throw invalidField(name, 'must be an integer');
    return property.default;
  }
  const { minimum = -Infinity, maximum = Infinity } = property;
  if (isLenient || (integer >= minimum && integer <= maximum)) return integer;
  throw invalidField(name, `must be between ${minimum} and ${maximum}`);
}

/** Parses an integer, clamped to ±(2^53 - 1); returns null if the text is not an integer. */
function parseInteger(text: string): number | null {
  if (!/^[+-]?[0-9]+$/.test(text)) return null;
  const clamped = Math.min(
    Math.max(Number(text), Number.MIN_SAFE_INTEGER),
    Number.MAX_SAFE_INTEGER,
  );
  return clamped + 0; // -0 becomes 0
}

/** Restores the plus sign of a number: decoding a query turns a `+` into a space. */
function withSign(text: string, name: string, url: string): string {
  if (!text.startsWith(' ')) return text;
  const query = url.slice(url.indexOf('?'));
  const [, raw = ''] = new RegExp(`[?&]${name}=([^&]*)`).exec(query) ?? [];
  return raw.startsWith('+') ? `+${text.slice(1)}` : text;
}
