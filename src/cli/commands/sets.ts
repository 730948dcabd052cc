import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { User } from '../../core/accounts/account.ts';
import { readPreference, toPreferenceRecord } from '../../core/sets/preference.ts';
import { readRule } from '../../core/sets/read-rule.ts';
import type { CountedSet, StoredSet } from '../../core/sets/set.ts';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData } from '../options.ts';
import { explanationLines } from '../output/explanation-lines.ts';
import { flushOutput, print, printJson, printRow } from '../output/output.ts';

interface SaveFlags {
  readonly rule: string;
  readonly prefer?: string;
  readonly owner?: string;
  readonly shared?: true;
  readonly json?: true;
}

/** The command line sees the sets of all users. */
const viewer = 'everybody';

/** Adds `catalog sets ...`: lists, shows, saves and removes sets without a running server. */
export function addSets(program: Command): void {
  const sets = program.command('sets').description('save rules that select releases');
  withData(sets.command('list'))
    .description('list the sets of all users')
    .option('--json', 'print the sets as JSON')
    .action((options: { json?: true }, command: Command) =>
      withCatalog(command, async (catalog) => {
        const list = await catalog.sets.list(viewer);
        if (options.json) await printSets(list);
        else for (const set of list) printSet(set);
        await flushOutput();
      }),
    );
  withData(sets.command('show'))
    .description('show a set with its rule')
    .argument('<set>', 'id or name')
    .option('--json', 'print the set as JSON')
    .action((named: string, options: { json?: true }, command: Command) =>
      withCatalog(command, async (catalog) => {
        await show(catalog, await getNamed(catalog, named), options);
      }),
    );
  withData(sets.command('save'))
    .description('save a rule as a set, or change the rule of a set')
    .argument('<set>', 'name of a new set, or id or name of the set to change')
    .requiredOption('--rule <file>', 'file with the rule as JSON; - for standard input')
    .option(
      '--prefer <file>',
      'file with the preference as JSON, null for none (default unchanged)',
    )
    .option(
      '--owner <name>',
      'owner of the set; without it, the set has no owner and all users see it',
    )
    .option('--shared', 'let all users see a set with an owner')
    .option('--json', 'print the set as JSON')
    .action((named: string, flags: SaveFlags, command: Command) =>
      withCatalog(command, async (catalog) => {
        await show(catalog, await save(catalog, named, flags), flags);
      }),
    );
  withData(sets.command('explain'))
    .description('say why a release is in a set or not')
    .argument('<set>', 'id or name')
    .argument('<release>', 'id of the release')
    .option('--json', 'print the explanation as JSON')
    .action((named: string, release: string, options: { json?: true }, command: Command) =>
      withCatalog(command, async (catalog) => {
        await explain(catalog, named, { release, ...options });
      }),
    );
  withData(sets.command('remove'))
    .description('delete a set; its releases stay')
    .argument('<set>', 'id or name')
    .option('--json', 'print the deleted set as JSON')
    .action((named: string, options: { json?: true }, command: Command) =>
      withCatalog(command, async (catalog) => {
        const set = await getNamed(catalog, named);
        await catalog.sets.remove(set.id, viewer, cliActor());
        if (options.json) await printSets({ ...set, count: null });
        else print(`removed ${set.name}`);
        await flushOutput();
      }),
    );
}

/** Changes the set with this id or name, or creates a set. */
async function save(
  catalog: Catalog,
  named: string,
  { rule: file, prefer: preferFile, owner: ownerName, shared }: SaveFlags,
): Promise<StoredSet> {
  const { sets } = catalog;
  const rule = readRule(await readJson('--rule', file));
  const prefer =
    preferFile === undefined ? undefined : readPreference(await readJson('--prefer', preferFile));
  const owner = ownerName === undefined ? null : await findOwner(catalog, ownerName);
  const found = (await sets.listNamed(named, viewer)).filter(
    ({ ownerId }) => owner === null || ownerId === owner.id,
  );
  const [set, another] = found;
  if (another !== undefined) throw ambiguous(named, found);
  if (set !== undefined) {
    const change = {
      rule,
      ...(prefer !== undefined && { prefer }),
      ...(shared && { isShared: true }),
    };
    return sets.update(set.id, change, viewer, cliActor());
  }
  const isShared = owner === null || shared === true;
  const owned = { name: named, ownerId: owner?.id ?? null, isShared };
  return sets.create({ ...owned, rule, prefer: prefer ?? null }, viewer, cliActor());
}

async function findOwner({ accounts }: Catalog, name: string): Promise<User> {
  try {
    return await accounts.getUserByName(name);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'not-found') throw error;
    throw refused(`--owner: there is no user ${JSON.stringify(name)}`, error);
  }
}

async function readJson(option: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await (file === '-' ? readText(process.stdin) : readFile(file, 'utf8')));
  } catch (error) {
    throw refused(
      `${option}: cannot read ${file === '-' ? 'standard input' : file} as JSON`,
      error,
    );
  }
}

/** Prints why a release is in a set or not. */
async function explain(
  catalog: Catalog,
  named: string,
  { release, json }: { readonly release: string; readonly json?: true },
): Promise<void> {
  const set = await getNamed(catalog, named);
  const id = /^[0-9]{1,15}$/.test(release) ? Number(release) : 0;
  const { name } = await catalog.releases.get(id).catch((error: unknown) => {
    if (!(error instanceof CatalogError) || error.kind !== 'not-found') throw error;
    throw refused(`there is no release ${JSON.stringify(release)}`, error);
  });
  const explanation = await catalog.sets.explain(set.id, id, viewer);
  if (json) {
    const { toExplanation } = await import('../../http/account-api/sets/sets.ts');
    printJson(toExplanation(explanation));
  } else print(...explanationLines(name, explanation));
  await flushOutput();
}

/**
 * Returns the only set with this id or name. Throws refused() if there is none, or more than one.
 */
export async function getNamed({ sets }: Catalog, named: string): Promise<StoredSet> {
  const found = await sets.listNamed(named, viewer);
  const [set, another] = found;
  if (set === undefined) {
    throw refused(`there is no set ${JSON.stringify(named)}: "catalog sets list" shows all sets`);
  }
  if (another !== undefined) throw ambiguous(named, found);
  return set;
}

function ambiguous(named: string, sets: readonly StoredSet[]) {
  const ids = sets.map(({ id, owner }) => `${id} (${owner ?? 'no owner'})`).join(', ');
  return refused(`several sets are named ${JSON.stringify(named)}: use an id of ${ids}`);
}

async function show(
  { sets }: Catalog,
  set: StoredSet,
  { json }: { readonly json?: true },
): Promise<void> {
  const counted = await sets.withCount(set, viewer);
  if (json) await printSets(counted);
  else {
    printSet(counted);
    print(...JSON.stringify(set.rule, null, 2).split('\n'));
    const prefer = toPreferenceRecord(set.prefer);
    if (prefer !== null) print(...JSON.stringify({ prefer }, null, 2).split('\n'));
  }
  await flushOutput();
}

async function printSets(sets: CountedSet | readonly CountedSet[]): Promise<void> {
  // Imported on demand, so that other commands do not load the API's code.
  const { toSetRecord } = await import('../../http/account-api/sets/sets.ts');
  printJson(isList(sets) ? sets.map(toSetRecord) : toSetRecord(sets));
}

function isList(sets: CountedSet | readonly CountedSet[]): sets is readonly CountedSet[] {
  return Array.isArray(sets);
}

function printSet({ id, name, owner, isShared, count }: CountedSet): void {
  const releases = count === null ? 'not counted' : `${count} releases`;
  printRow(`${id}`, name, owner ?? '', isShared ? 'shared' : 'private', releases);
}
