import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Database } from './engine.ts';

/** Gives what stands in a query for the value of that name. */
export type ParamOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/** A query that was compiled once, to be run with other values each time. */
export type RunCompiled<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/** Stands in a compiled query where the value of that name goes. */
class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once: for a short one, building and compiling take as long as all the rest of it. Gives a function
 * that runs it.
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
