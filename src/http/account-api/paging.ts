import { Type } from 'typebox';
import type { Page } from '../../core/accounts/ports.ts';

/** The query parameters of a list that gives everything unless it is asked for a part. */
export const pageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ description: 'clamped to 1..500; absent: all (extension)' })),
  offset: Type.Integer({
    default: 0,
    description: 'with `limit`; values below 0 become 0 (extension)',
  }),
});

/** The part that is asked for; undefined for all. */
export function pageOf({ limit, offset }: { limit?: number; offset: number }): Page | undefined {
  if (limit === undefined) return undefined;
  return { limit: Math.min(Math.max(limit, 1), 500), offset: Math.max(offset, 0) };
}
