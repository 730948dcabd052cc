import { Type } from 'typebox';
import type { Stats } from '../../core/stats/stats.ts';
import type { Route } from './route.ts';

export function getStats(stats: Stats): Route {
  return {
    summary: 'Counts and the newest downloads',
    answer: Type.Object({
      systems: Type.Array(Type.Object({ system: Type.String(), releases: Type.Integer() })),
      users: Type.Integer(),
      covers: Type.Integer(),
      downloads: Type.Integer(),
      recent: Type.Array(
        Type.Object({
          system: Type.String(),
          name: Type.String(),
          bytes: Type.Integer(),
          created_at: Type.String(),
          username: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    }),
    async handle() {
      const { recent, ...counts } = await stats.get();
      return {
        ...counts,
        recent: recent.map(({ createdAt, ...event }) => ({ ...event, created_at: createdAt })),
      };
    },
  };
}

export function getHealth(checkHealth: () => Promise<void>): Route {
  return {
    summary: 'Whether the service can do its work',
    answer: Type.Object({ status: Type.String() }),
    errors: [503],
    async handle() {
      await checkHealth();
      return { status: 'ok' };
    },
  };
}
