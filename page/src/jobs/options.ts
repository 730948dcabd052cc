import type { Role } from '../api/model.ts';

/** Something that a job may be told when it is started. */
export interface JobOption {
  readonly name: string;
  readonly isFlag: boolean;
  /** As the API has it when nothing is said. */
  readonly isOn?: boolean;
  readonly isNeeded?: boolean;
  /** Who may say it; editors where nothing is named. */
  readonly needs?: Role;
}

const system: JobOption = { name: 'system', isFlag: false };

/** What each kind of job may be told here; the other kinds take no options, or have a screen of their own. */
export const jobOptions: Readonly<Record<string, readonly JobOption[]>> = {
  scan: [
    { name: 'hash', isFlag: true, isOn: true },
    { name: 'full', isFlag: true },
    { name: 'forget', isFlag: true, needs: 'admin' },
  ],
  'covers-fetch': [system, { name: 'missing', isFlag: true }, { name: 'removed', isFlag: true }],
  'covers-bundle': [{ name: 'name', isFlag: false, isNeeded: true }, system],
  verify: ['store', 'covers', 'library'].map((name) => ({ name, isFlag: true })),
};
