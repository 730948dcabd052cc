import type { LoginThrottle } from '../../core/accounts/login-throttle.ts';
import { Devices } from '../../core/devices/devices.ts';
import { SqlDeviceRecords } from '../../sql/devices/device-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';

/** Assembles the devices. Wrong secrets count as failed logins. */
export function openDevices(
  { engine, deferredWrites, clock, revisions }: BaseServices,
  failures: LoginThrottle,
  { sets, profiles }: Pick<Catalog, 'sets' | 'profiles'>,
): Pick<Catalog, 'devices'> {
  const revision = revisions.of('accounts');
  const records = new SqlDeviceRecords({ engine, deferredWrites, clock, revision });
  return { devices: new Devices({ records, sets, profiles, failures, clock }) };
}
