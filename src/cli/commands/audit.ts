import type { Command } from 'commander';
import type { AuditEntry } from '../../core/audit/ports.ts';
import { parseDuration } from '../../core/shared/duration.ts';
import { usageError } from '../../core/shared/errors.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { withCatalog, withData } from '../options.ts';
import { isOutputOpen, printJsonItems, printRow } from '../output/output.ts';

interface AuditFlags {
  readonly since?: string;
  readonly user?: string;
  readonly json?: true;
}

const pageSize = 500;
/**
 * Maximum time, in milliseconds, by which entries may be out of order. The time of an entry is the
 * start of the work, so a later entry may have an earlier time.
 */
const outOfOrderMs = 3_600_000;

/** Adds `catalog audit`: lists the audit entries, newest first. */
export function addAudit(program: Command): void {
  withData(program.command('audit'))
    .description('list the audit entries (who did what), newest first')
    .option(
      '--since <time>',
      'only entries since a time (2026-11-20, 2026-11-20T12:00Z) or of the last 12h, 7d',
    )
    .option('--user <name>', 'only entries of this user')
    .option('--json', 'print the entries as JSON')
    .action((flags: AuditFlags, command: Command) => {
      const since = flags.since === undefined ? null : momentOf(flags.since);
      return withCatalog(command, async ({ audit }) => {
        const entries = entriesSince(audit, since, flags.user ?? '');
        if (flags.json) return printJsonItems(entries);
        for await (const entry of entries) {
          printRow(...fieldsOf(entry));
          if (!(await isOutputOpen())) return;
        }
      });
    });
}

function momentOf(text: string): number {
  const ago = parseDuration(text);
  if (ago !== null) return Date.now() - ago;
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw usageError(`--since: "${text}" is not a time such as 2026-11-20, 2026-11-20T12:00Z or 7d`);
}

async function* entriesSince(
  audit: Catalog['audit'],
  since: number | null,
  username: string,
): AsyncGenerator<AuditEntry> {
  for (let before: number | null = null; ; ) {
    const filter = { action: '', target: '', username };
    const page = await audit.list(filter, { limit: pageSize, before });
    for (const entry of page) {
      const at = Date.parse(entry.at);
      if (since !== null && at < since - outOfOrderMs) return;
      if (since === null || at >= since) yield entry;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.id;
  }
}

function fieldsOf({ at, kind, username, address, action, target, detail }: AuditEntry): string[] {
  const who = kind === 'system' ? 'system' : (username ?? '');
  return [at, who, address ?? kind, action, target, detail === null ? '' : JSON.stringify(detail)];
}
