import type { Role } from '../core/shared/requests/role.ts';

/**
 * The accounts of the demo. The passwords may be public, because only this machine can reach the
 * demo.
 */
export const demoAccounts: readonly { username: Role; password: string }[] = [
  { username: 'admin', password: 'admin-demo' },
  { username: 'editor', password: 'editor-demo' },
  { username: 'user', password: 'user-demo' },
];
