import { Type } from 'typebox';
import { invalidField } from '../../core/shared/errors.ts';

/** The query parameter that asks for fields beyond the document, of these. */
export const include = (fields: readonly string[]) => {
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return Type.String({
    default: '',
    description: `further fields, by commas: ${names} (extension)`,
  });
};

/** How a route's description names the failure of `wantedFields`. */
export const unknownInclude = invalidField('include', 'there is no field <field>');

/** The fields that a request asks for. Throws 422 for one that is none of these. */
export function wantedFields(include: string, fields: readonly string[]): ReadonlySet<string> {
  const wanted = include.split(',').map((field) => field.trim());
  const named = wanted.filter((field) => field !== '');
  const unknown = named.find((field) => !fields.includes(field));
  if (unknown !== undefined) throw invalidField('include', `there is no field ${unknown}`);
  return new Set(named);
}
