import { Type } from 'typebox';
import type { Page } from '../../core/accounts/ports.ts';
import type { NewestPage } from '../../core/shared/newest-page.ts';

/** The query parameters of a list that returns all items unless a page is requested. */
export const pageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ description: 'clamped to 1..500; absent: all (extension)' })),
  offset: Type.Integer({
    default: 0,
    description: 'with `limit`; values below 0 become 0 (extension)',
  }),
});

/** Returns the requested page of the list; undefined for the whole list. */
export function pageOf({ limit, offset }: { limit?: number; offset: number }): Page | undefined {
  if (limit === undefined) return undefined;
  return { limit: clampedLimit(limit), offset: Math.max(offset, 0) };
}

/**
 * The query parameters of a list that is ordered newest first. For the next page, `before` is the
 * last id of the previous page.
 */
export const newestFields = {
  limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
  before: Type.Optional(
    Type.Integer({ description: 'only those with a lower id; absent: starts with the newest' }),
  ),
};

export function newestPageOf({ limit, before }: { limit: number; before?: number }): NewestPage {
  return { limit: clampedLimit(limit), before: before ?? null };
}

/** Returns the page size, limited to 1..500 (account-api.md, Limits). */
export function clampedLimit(limit: number): number {
  return Math.min(Math.max(limit, 1), 500);
}
