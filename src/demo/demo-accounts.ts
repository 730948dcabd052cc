import type { Role } from '../core/shared/role.ts';

/** The accounts of the demo: a name and a password that everybody may know, since it listens on this machine only. */
export const demoAccounts: readonly { username: Role; password: string }[] = [
  { username: 'admin', password: 'admin-demo' },
  { username: 'editor', password: 'editor-demo' },
  { username: 'user', password: 'user-demo' },
];
