import type { Role, User } from '../api/model.ts';
import { changeUser, listUsers } from '../api/users.ts';
import { RemoteValue } from '../parts/remote-value.svelte.ts';

/** All accounts, and the refused changes of accounts. */
export class UserList {
  readonly users: RemoteValue<readonly User[]> = new RemoteValue(listUsers);
  /**
   * For each user id, why the last change of the user was refused. Contains only users whose last
   * change was refused.
   */
  refusals: ReadonlyMap<number, unknown> = $state.raw(new Map());

  /**
   * Returns true if the user is the only active admin. The role and the state of this user must not
   * be changed.
   */
  isLastAdmin(user: User): boolean {
    const admins =
      this.users.value?.filter((each) => each.role === 'admin' && each.is_active === 1) ?? [];
    return admins.length === 1 && admins[0]?.id === user.id;
  }

  /**
   * Changes the role or the state of a user, and reloads the list. If the server refuses, stores
   * the reason in `refusals`. Never rejects.
   */
  async change({ id }: User, change: { role?: Role; is_active?: boolean }): Promise<void> {
    const rest = new Map(this.refusals);
    rest.delete(id);
    try {
      await changeUser(id, change);
    } catch (error) {
      rest.set(id, error);
    }
    this.refusals = rest;
    await this.users.load();
  }
}
