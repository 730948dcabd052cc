import type { Token } from './model.ts';
import { requestJson } from './request.ts';
import type { components } from './schema.ts';

/**
 * Changes the current user's password. If `revokeOthers` is true, all other sessions and tokens of
 * the user are revoked.
 */
export async function changePassword(
  current: string,
  next: string,
  revokeOthers: boolean,
): Promise<void> {
  const body = { current, new: next, revoke_others: revokeOthers };
  await requestJson('POST', '/api/auth/password', { body });
}

export async function listOwnTokens(signal: AbortSignal): Promise<readonly Token[]> {
  const query = { include: 'current' };
  return (await requestJson('GET', '/api/auth/tokens', { query, signal })).items;
}

/**
 * Creates a token for a program and returns the token's value, which is never shown again. `days`
 * is the lifetime in days; 0 means that the token does not expire.
 */
export function makeToken(
  label: string,
  days: number,
): Promise<{ id: number; token: string; expires_at: string | null }> {
  return requestJson('POST', '/api/auth/tokens', { body: { label, expires_in_days: days } });
}

export async function revokeOwnToken(id: number): Promise<void> {
  await requestJson('DELETE', '/api/auth/tokens/{id}', { path: { id } });
}

/** A device that reads the files of a set through a secret URL. */
export type Device = components['schemas']['Device'];

export async function listDevices(signal: AbortSignal): Promise<readonly Device[]> {
  return (await requestJson('GET', '/api/devices', { signal })).items;
}

/**
 * Creates a device and returns the path of its secret URL. The server never shows the path again.
 * `days` is the lifetime in days; 0 means that the URL does not expire.
 */
export async function connectDevice(device: {
  readonly name: string;
  readonly set: number;
  readonly profile: string;
  readonly days: number;
}): Promise<string> {
  const { name, set: set_id, profile, days: expires_in_days } = device;
  const body = { name, set_id, profile, expires_in_days };
  return (await requestJson('POST', '/api/devices', { body })).path;
}

export async function revokeDevice(id: number): Promise<void> {
  await requestJson('DELETE', '/api/devices/{device_id}', { path: { device_id: id } });
}
