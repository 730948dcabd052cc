import type { FastifyRequest } from 'fastify';
import { parseInteger } from '../shared/parameters.ts';

/** A query parameter's first value; "" when it is absent. */
export function queryText(request: FastifyRequest, name: string): string {
  const all = (request.query as Record<string, string | string[] | undefined>)[name];
  return (Array.isArray(all) ? all[0] : all) ?? '';
}

/** The same as an integer; `fallback` when it is none. Beyond 2^53 it is clamped. */
export function queryInteger(request: FastifyRequest, name: string, fallback: number): number {
  return parseInteger(queryText(request, name)) ?? fallback;
}

/** The id in a path whose pattern has only digits there. */
export function pathId(request: FastifyRequest): number {
  const { id } = request.params as { id: string };
  return Math.min(Number(id), Number.MAX_SAFE_INTEGER);
}

export function pathName(request: FastifyRequest): string {
  return (request.params as { name: string }).name;
}
