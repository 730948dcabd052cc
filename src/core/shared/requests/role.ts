/**
 * The roles of users, from highest to lowest. Each role includes all rights of the roles below it.
 */
export const roles = ['admin', 'editor', 'user'] as const;
export type Role = (typeof roles)[number];

export function isRole(value: unknown): value is Role {
  return roles.includes(value as Role);
}

export function roleReaches(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
