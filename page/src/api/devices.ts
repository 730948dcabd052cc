import { requestJson } from './request.ts';
import type { components } from './schema.ts';

/** A device that reads the files of a set at a secret address. */
export type Device = components['schemas']['Device'];

export async function listDevices(signal: AbortSignal): Promise<readonly Device[]> {
  return (await requestJson('GET', '/api/devices', { signal })).items;
}

/**
 * Creates a device, and returns the path of its address, which is never shown again. `days` is the
 * lifetime in days; 0 means that the address does not expire.
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
