import { Type } from 'typebox';
import { invalidField } from '../../../core/shared/errors.ts';

/**
 * Returns the schema of the query parameter `include`, which requests extra fields. `fields` lists
 * the names of these fields.
 */
export const include = (fields: readonly string[]) => {
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return Type.String({
    default: '',
    description: `further fields, separated by commas: ${names} (extension)`,
  });
};

/** The error that `wantedFields` throws; routes list it in their descriptions. */
export const unknownInclude = invalidField('include', 'there is no field <field>');

/** Returns the requested fields. Throws a 422 for a field that is not in `fields`. */
export function wantedFields(include: string, fields: readonly string[]): ReadonlySet<string> {
  const wanted = include.split(',').map((field) => field.trim());
  const named = wanted.filter((field) => field !== '');
  const unknown = named.find((field) => !fields.includes(field));
  if (unknown !== undefined) throw invalidField('include', `there is no field ${unknown}`);
  return new Set(named);
}
