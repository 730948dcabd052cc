import { CatalogError } from '../core/shared/errors.ts';

/** Maximum number of causes that are followed. */
const maxCauses = 10;

/**
 * Returns the messages of an error and its causes in one line. A message that is contained in an
 * earlier message is left out.
 */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (const each of causesOf(error)) {
    const message = messageOf(each);
    if (!messages.some((known) => known.includes(message))) messages.push(message);
  }
  return messages.join(': ');
}

/** Returns an error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each !== undefined && causes.length < maxCauses; ) {
    causes.push(each);
    each = each instanceof Error ? each.cause : undefined;
  }
  return causes;
}

function messageOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof CatalogError) return first.reason ?? first.message;
  return first instanceof Error ? first.message : String(first);
}
