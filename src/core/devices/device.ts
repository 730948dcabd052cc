import { invalidField } from '../shared/errors.ts';
import { checkLength } from '../shared/text-limits.ts';

/** Maximum number of devices of one user. */
export const maxDevicesPerUser = 100;
const nameLimit = { characters: 200 };

/** A device that reads the files of a set at an address with a secret. */
export interface Device {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly setId: number;
  readonly setName: string;
  /** Id of the profile whose layout of files the device reads. */
  readonly profile: string;
  readonly createdAt: string;
  /** Null if the address does not expire. */
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  /** Path of the file that the device read last, below its address; null for none. */
  readonly lastFile: string | null;
  readonly lastFileAt: string | null;
}

/**
 * Returns the form in which the name of a device is stored. Throws a 422 for an empty or too long
 * name, and for control characters.
 */
export function checkedDeviceName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name === '') throw invalidField('name', 'must not be empty');
  checkLength('name', name, nameLimit);
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) {
    throw invalidField('name', 'must not contain control, format or bidirectional characters');
  }
  return name;
}

/** Returns true if the address of the device has not expired. */
export function isUnexpired({ expiresAt }: Pick<Device, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > nowMs;
}
