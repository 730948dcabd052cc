import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Database } from './engine.ts';

/** Returns the placeholder for the value with this name. */
export type ParamOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** Runs a query that was compiled once, with different values each time. Returns the rows. */
export type RunCompiled<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * A placeholder in a compiled query. Each run replaces the placeholder by the value with its name.
 */
class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once and returns a function that runs the compiled query with different values.
 * Building and compiling a short query on each run would take a large part of the total time.
 */
export function compileQuery<Values extends object, Row>(
  build: (param: ParamOf<Values>) => Compilable<Row>,
): RunCompiled<Values, Row> {
  const compiled = build((name) => sql`${new Param(name)}`).compile();
  return async (db, values) => (await db.executeQuery(withValues(compiled, values))).rows;
}

function withValues<Row>(compiled: CompiledQuery<Row>, values: object): CompiledQuery<Row> {
  const given = new Map(Object.entries(values));
  const parameters = compiled.parameters.map((parameter) =>
    parameter instanceof Param ? given.get(parameter.name) : parameter,
  );
  return { ...compiled, parameters };
}
