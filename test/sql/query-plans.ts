import { type CompiledQuery, sql } from 'kysely';
import type { Engine } from '../../src/sql/engine/engine.ts';

/**
 * Returns an engine that records its read queries, and a function that returns their query plans.
 */
export function recordQueries(engine: Engine): {
  readonly engine: Engine;
  /** Returns the steps of each query so far, such as `SEARCH audit USING INDEX ...`. */
  plans(): Promise<string[][]>;
} {
  const queries: CompiledQuery[] = [];
  const withRecorder = (db: Engine['read']) => {
    const plugged = db.withPlugin({
      transformQuery({ node, queryId }) {
        queries.push(db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    return Object.assign(plugged, { dialect: db.dialect }) as Engine['read'];
  };
  const read = withRecorder(engine.read);
  const longRead = withRecorder(engine.longRead);
  const planOf = async (query: CompiledQuery) => {
    const plan = sql<{ detail: string }>`EXPLAIN QUERY PLAN ${sql.raw(withValues(query))}`;
    return (await plan.execute(engine.read)).rows.map(({ detail }) => detail);
  };
  return { engine: { ...engine, read, longRead }, plans: () => Promise.all(queries.map(planOf)) };
}

/** Returns a statement with the values inserted at the placeholders. */
function withValues({ sql: text, parameters }: CompiledQuery): string {
  const values = [...parameters];
  return text.replace(/\?/g, () => {
    const value = values.shift();
    return typeof value === 'number' ? `${value}` : `'${value}'`;
  });
}
