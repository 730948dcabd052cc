import type { Role, User } from '../api/model.ts';
import { changeUser, listUsers } from '../api/users.ts';
import { Loaded } from '../parts/loaded.svelte.ts';

/** All accounts, with the last refused change of each. */
export class UserList {
  readonly users: Loaded<readonly User[]> = new Loaded(listUsers);
  /** Per user id, why the last change was refused. */
  refusals: ReadonlyMap<number, unknown> = $state.raw(new Map());

  /** Returns whether this is the only active admin, who must keep role and state. */
  isLastAdmin(user: User): boolean {
    const admins =
      this.users.value?.filter((each) => each.role === 'admin' && each.is_active === 1) ?? [];
    return admins.length === 1 && admins[0]?.id === user.id;
  }

  /** Changes a user. Never throws; a refusal is stored in `refusals`. */
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
