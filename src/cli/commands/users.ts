import type { Command } from 'commander';
import type { User } from '../../core/accounts/account.ts';
import { CatalogError, refused, usageError } from '../../core/shared/errors.ts';
import { isRole, type Role, roles } from '../../core/shared/requests/role.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData } from '../options.ts';
import { flushOutput, print, printJson, printRow } from '../output/output.ts';
import { readPassword } from '../password.ts';

/** Adds `catalog users ...`: manages accounts without a running server. */
export function addUsers(program: Command): void {
  const users = program.command('users').description('manage accounts');
  withPassword(withData(users.command('add')))
    .description('create an account')
    .argument('<name>')
    .option('--role <role>', `${roles.join(', ')} (default user)`)
    .action((name: string, options: { role?: string; passwordStdin?: true }, command: Command) => {
      const role = readRole('--role', options.role ?? 'user');
      return withCatalog(
        command,
        async ({ accounts }) => {
          const password = await readPassword(options.passwordStdin === true);
          const user = await withAdvice(
            accounts.createUser({ username: name, password, role }, cliActor()),
            'choose another name, or change that account (catalog users --help)',
          );
          print(`created ${user.role} ${user.username}`);
        },
        { createsCatalog: true },
      );
    });
  withData(users.command('list'))
    .description('list the accounts')
    .option('--json', 'print the accounts as JSON')
    .action((options: { json?: true }, command: Command) =>
      withCatalog(command, async ({ accounts }) => {
        const list = await accounts.listUsers();
        if (options.json) {
          // Imported on demand, so that other commands do not load the API's code.
          const { toUserRecord } = await import('../../http/account-api/accounts/users.ts');
          printJson(list.map(toUserRecord));
        } else for (const user of list) printUser(user);
        await flushOutput();
      }),
    );
  withPassword(withData(users.command('passwd')))
    .description("change an account's password")
    .argument('<name>')
    .option('--revoke-tokens', "also revoke the account's tokens")
    .action(
      (name: string, options: { passwordStdin?: true; revokeTokens?: true }, command: Command) =>
        withUser(command, name, async ({ accounts }, id) => {
          const password = await readPassword(options.passwordStdin === true);
          const revokeTokens = options.revokeTokens === true;
          await accounts.updateUser(id, { password, revokeTokens }, cliActor());
          print(`changed the password of ${name}`);
        }),
    );
  withData(users.command('role'))
    .description('change the role of an account')
    .argument('<name>')
    .argument('<role>', roles.join(', '))
    .action((name: string, text: string, _options: unknown, command: Command) => {
      const role = readRole('role', text);
      return withUser(command, name, async ({ accounts }, id) => {
        const user = await accounts.updateUser(id, { role }, cliActor());
        print(`${user.username} is now ${user.role}`);
      });
    });
  addChange(users, 'activate', 'let an account log in again', ({ accounts }, id) =>
    accounts.updateUser(id, { isActive: true }, cliActor()),
  );
  addChange(
    users,
    'deactivate',
    'keep an account, but refuse its logins and tokens',
    ({ accounts }, id) => accounts.updateUser(id, { isActive: false }, cliActor()),
  );
  addChange(users, 'remove', 'delete an account and its tokens', ({ accounts }, id) =>
    accounts.deleteUser(id, cliActor()),
  );
}

function withPassword(command: Command): Command {
  return command.option(
    '--password-stdin',
    'read the password from standard input, not from a prompt',
  );
}

function addChange(
  users: Command,
  name: string,
  description: string,
  change: (catalog: Catalog, id: number) => Promise<unknown>,
): void {
  withData(users.command(name))
    .description(description)
    .argument('<name>')
    .action((username: string, _options: unknown, command: Command) =>
      withUser(command, username, async (catalog, id) => {
        await change(catalog, id);
        print(`${name}d ${username}`);
      }),
    );
}

function withUser(
  command: Command,
  username: string,
  work: (catalog: Catalog, id: number) => Promise<void>,
): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const user = await catalog.accounts.getUserByName(username).catch((error) => {
      if (!(error instanceof CatalogError)) throw error;
      throw refused(
        `there is no user ${JSON.stringify(username)}: "catalog users list" shows all users`,
      );
    });
    await withAdvice(
      work(catalog, user.id),
      'make another account admin first (catalog users role <name> admin)',
    );
  });
}

/** Adds advice to a conflict error. The error's own message only names the conflict. */
async function withAdvice<T>(work: Promise<T>, advice: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'conflict') throw error;
    throw refused(`${error.message}: ${advice}`, error);
  }
}

function readRole(name: string, text: string): Role {
  if (isRole(text)) return text;
  throw usageError(`${name}: "${text}" is not a role; use ${roles.join(', ')}`);
}

function printUser({ username, role, isActive, lastLoginAt }: User): void {
  const state = isActive ? 'active' : 'inactive';
  printRow(username, role, state, `last login: ${lastLoginAt ?? 'never'}`);
}
