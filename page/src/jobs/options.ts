import { jobOptions } from '../api/schema.ts';

/** A kind of job that can be started through the API. */
export type StartableKind = keyof typeof jobOptions;

/**
 * A kind of job whose options a form can ask for: flags and texts. A kind that requires other
 * options, such as uploads, is started on a separate screen.
 */
export type FormKind = {
  [Kind in StartableKind]: [FormOption<Kind>] extends [never]
    ? never
    : [Extract<OtherOption<Kind>, { isRequired: true }>] extends [never]
      ? Kind
      : never;
}[StartableKind];

/** The names of the options that forms ask for. */
export type FormOptionName = FormOption<FormKind>['name'];

/** A kind that a button starts at once, without asking for options. */
export type ButtonKind = KindWithoutOptions | 'scan' | 'covers-fetch';

/** A kind without options. */
type KindWithoutOptions = {
  [Kind in StartableKind]: [OptionOf<Kind>] extends [never] ? Kind : never;
}[StartableKind];

type OptionOf<Kind extends StartableKind> = (typeof jobOptions)[Kind][number];
type FormOption<Kind extends StartableKind> = Extract<OptionOf<Kind>, { type: 'flag' | 'text' }>;
type OtherOption<Kind extends StartableKind> = Exclude<OptionOf<Kind>, { type: 'flag' | 'text' }>;

/** An option of a job. */
export interface JobOption {
  readonly name: string;
  readonly type: 'flag' | 'text' | 'number' | 'ids';
  readonly isRequired?: true;
  /** True if the option is on by default. */
  readonly isOn?: true;
  readonly isAdminOnly?: true;
}

const all: Readonly<Record<StartableKind, readonly JobOption[]>> = jobOptions;

export function isStartableKind(kind: string): kind is StartableKind {
  return Object.hasOwn(all, kind);
}

export const formKinds: readonly FormKind[] = Object.keys(all)
  .filter(isStartableKind)
  .filter(isFormKind);

function isFormKind(kind: StartableKind): kind is FormKind {
  const others = all[kind].filter((option) => !isInForm(option));
  return others.length < all[kind].length && !others.some(({ isRequired }) => isRequired);
}

/** Returns the options of a kind that a form asks for. */
export function formOptions(kind: FormKind): JobOption[] {
  return all[kind].filter(isInForm);
}

/**
 * Returns only the options that the API accepts. A job started by a command may have other options.
 */
export function acceptedOptions(kind: StartableKind, options: object): object {
  const names = new Set(all[kind].map(({ name }) => name));
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.has(name)));
}

function isInForm({ type }: JobOption): boolean {
  return type === 'flag' || type === 'text';
}
