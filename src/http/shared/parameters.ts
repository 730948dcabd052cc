import type { Static, TObject } from 'typebox';
import { type CatalogError, invalidField, notFound } from '../../core/shared/errors.ts';

/** Path or query parameters as the router gives them. */
export type GivenParameters = Readonly<Record<string, string | string[] | undefined>>;

/** How an API reads integers. */
export interface IntegerRule {
  /** Blanks around an integer are ignored, and what is none counts as absent; else both are refused with 422. */
  readonly isLenient: boolean;
}

/**
 * Makes the reader of a route's path or query parameters: the first value of a repeated one counts; an integer is an
 * optional sign and digits, clamped beyond 2^53 (decisions.md). `url` is the request's, for what decoding a query loses;
 * absent for a path. Throws 422 naming the parameter, also for an integer outside the bounds that its schema states and
 * for a text that is none of its choices, and `not found` for an empty one of a path, which is another path.
 */
export function parameterReader<T extends TObject>(
  schema: T,
  rule: IntegerRule,
): (given: GivenParameters, url?: string) => Static<T> {
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
    return values as Static<T>; // by construction: each property was read by its schema
  };
}

interface Property {
  readonly type: string;
  /** Only query parameters have one, or are absent. */
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only texts that it may be. */
  readonly enum?: readonly string[];
}

/** 422 for a parameter that is none of its choices. */
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

/** Null when the text is no integer. */
function parseInteger(text: string): number | null {
  if (!/^[+-]?[0-9]+$/.test(text)) return null;
  const clamped = Math.min(
    Math.max(Number(text), Number.MIN_SAFE_INTEGER),
    Number.MAX_SAFE_INTEGER,
  );
  return clamped + 0; // -0 becomes 0
}

/** A query's `+` is decoded to a blank; before a number it is its sign. */
function withSign(text: string, name: string, url: string): string {
  if (!text.startsWith(' ')) return text;
  const query = url.slice(url.indexOf('?'));
  const [, raw = ''] = new RegExp(`[?&]${name}=([^&]*)`).exec(query) ?? [];
  return raw.startsWith('+') ? `+${text.slice(1)}` : text;
}
