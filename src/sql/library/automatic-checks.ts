import { sql } from 'kysely';
import type { AutomaticChecks } from '../../core/library/ports.ts';
import type { Engine } from '../engine/engine.ts';

/** Records when a process last looked for new files. `name` identifies the host and its roots. */
export function sqlAutomaticChecks({
  engine,
  name,
}: {
  engine: Engine;
  name: string;
}): AutomaticChecks {
  const key = `checked ${name}`;
  return {
    async lastAt() {
      const query = engine.read.selectFrom('library_state').select('value');
      const row = await query.where('name', '=', key).executeTakeFirst();
      return row === undefined ? null : Date.parse(row.value);
    },
    async record(at) {
      const value = new Date(at).toISOString();
      await engine.write(async (trx) => {
        await trx
          .insertInto('library_state')
          .values({ name: key, value })
          .onConflict((conflict) =>
            conflict.expression(sql.raw(trx.dialect.uniqueKey('name'))).doUpdateSet({ value }),
          )
          .execute();
      });
    },
  };
}
