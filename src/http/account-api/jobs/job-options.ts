import { type TObject, type TSchema, Type } from 'typebox';
import type { JobOptions } from '../../../core/jobs/job.ts';
import { type ApiJobKind, apiJobKinds, apiOptionsOf } from '../../../core/jobs/job-kind.ts';
import type { ApiOption } from '../../../core/jobs/job-kind-data.ts';
import { invalidField } from '../../../core/shared/errors.ts';
import { fieldReader } from '../../shared/bodies/json-body.ts';

const readers = apiJobKinds.map((kind) => {
  const options = apiOptionsOf(kind);
  const schema = schemaOf(options);
  return { kind, options, schema, read: fieldReader(schema) };
});

/** The options of each kind in `apiJobKinds`, as JSON schemas. */
export const jobOptions: readonly TObject[] = readers.map(({ schema }) => schema);

/** A request of a client to start a job. */
export interface ParsedJobRequest {
  readonly kind: ApiJobKind;
  readonly options: JobOptions;
  /** True if only an admin may use these options. */
  readonly needsAdmin: boolean;
}

/**
 * Parses the kind and the options of a job. Throws a 422 error. If the kind is unknown, the error
 * lists the known kinds. Otherwise the error names the option that is missing, unknown or invalid.
 */
export function parseJobRequest(kind: unknown, requested: unknown): ParsedJobRequest {
  const reader = readers.find((each) => each.kind === String(kind));
  if (reader === undefined) throw unknownKind;
  if (typeof requested !== 'object' || requested === null || Array.isArray(requested)) {
    throw invalidField('options', 'must be an object');
  }
  const { options: known, read } = reader;
  const unknown = Object.keys(requested).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw invalidField(unknown, `no option of ${kind}`);
  const all = Object.entries(known);
  const missing = all.find(
    ([name, { isRequired }]) => isRequired && !Object.hasOwn(requested, name),
  );
  if (missing !== undefined) throw invalidField(missing[0], 'is required');
  const options: JobOptions = read(requested as Record<string, unknown>);
  const needsAdmin = all.some(([name, each]) => isAdminOption(each) && options[name] === true);
  return { kind: reader.kind, options, needsAdmin };
}

const isAdminOption = (option: ApiOption) => option.type === 'flag' && option.isAdminOnly === true;

const unknownKind = invalidField('kind', `must be ${apiJobKinds.join(' or ')}`);

function schemaOf(options: Readonly<Record<string, ApiOption>>): TObject {
  const fields = Object.entries(options).map(([name, option]): [string, TSchema] => {
    const value = valueSchema(option);
    return [name, option.isRequired ? value : Type.Optional(value)];
  });
  return Type.Object(Object.fromEntries(fields));
}

function valueSchema({ description, ...option }: ApiOption): TSchema {
  switch (option.type) {
    case 'flag':
      return Type.Boolean({ description });
    case 'text': {
      const { pattern, maxLength } = option;
      return Type.String({ pattern, ...(maxLength && { maxLength }), description });
    }
    case 'number':
      return Type.Integer({ minimum: option.minimum, description });
    case 'ids':
      return Type.Array(Type.Integer(), { minItems: 1, maxItems: option.maxItems, description });
  }
}
