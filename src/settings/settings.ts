import { copySettings } from './groups/copy.ts';
import { librarySettings } from './groups/library.ts';
import { loginSettings } from './groups/logins-and-sessions.ts';
import { retentionSettings } from './groups/retention.ts';
import { serverSettings } from './groups/server.ts';
import { storageSettings } from './groups/storage.ts';
import { transferSettings } from './groups/transfers.ts';
import type { Setting } from './setting.ts';

/**
 * All settings, in the order of the help. Their groups are in `groups/`. `Config` and the table in
 * docs/operating/settings.md are derived from them; after a change, run
 * `npx node scripts/settings-table.ts`.
 */
export const settings = {
  ...storageSettings,
  ...serverSettings,
  ...librarySettings,
  ...retentionSettings,
  ...loginSettings,
  ...transferSettings,
  ...copySettings,
};

export type SettingName = keyof typeof settings;

/**
 * The settings that determine where files are stored. A command uses either all of them or none.
 */
export const filesSettings: readonly SettingName[] = [
  'files',
  's3Endpoint',
  's3Region',
  's3AccessKey',
  's3SecretKey',
  's3PublicEndpoint',
];

export const settingNames = Object.keys(settings) as SettingName[];

/** Returns the settings that a program uses, in the order of the help. */
export function settingsUsedBy(user: Setting<unknown>['usedBy']): SettingName[] {
  return settingNames.filter((name) => settings[name].usedBy === user);
}
