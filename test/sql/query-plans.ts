import { type CompiledQuery, sql } from 'kysely';
import type { Engine } from '../../src/sql/engine.ts';

/** An engine that notes the queries which it is asked for reading, and what the database would do for each. */
export function notingQueries(engine: Engine): {
  readonly engine: Engine;
  /** Of each query that was asked so far its steps, such as `SEARCH audit USING INDEX ...`. */
  plans(): Promise<string[][]>;
} {
  const asked: CompiledQuery[] = [];
  const noting = engine.read.withPlugin({
    transformQuery({ node, queryId }) {
      asked.push(engine.read.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const read = Object.assign(noting, { dialect: engine.read.dialect }) as Engine['read'];
  const planOf = async (query: CompiledQuery) => {
    const plan = sql<{ detail: string }>`EXPLAIN QUERY PLAN ${sql.raw(withValues(query))}`;
    return (await plan.execute(engine.read)).rows.map(({ detail }) => detail);
  };
  return { engine: { ...engine, read }, plans: () => Promise.all(asked.map(planOf)) };
}

/** A statement with its values in place of their marks. */
function withValues({ sql: text, parameters }: CompiledQuery): string {
  const values = [...parameters];
  return text.replace(/\?/g, () => {
    const value = values.shift();
    return typeof value === 'number' ? `${value}` : `'${value}'`;
  });
}
