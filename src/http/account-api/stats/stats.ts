import { Type } from 'typebox';
import { notReady } from '../../../core/shared/errors.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';

export const getStats = route({
  summary: 'Counts and the newest downloads',
  response: Type.Object({
    systems: Type.Array(Type.Object({ system: Type.String(), releases: Type.Integer() })),
    users: Type.Integer(),
    covers: Type.Integer(),
    downloads: Type.Integer(),
    recent: Type.Array(
      Type.Object({
        system: Type.String(),
        name: Type.String(),
        bytes: Type.Integer(),
        created_at: timestamp,
        username: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),
  async handle({ parts: { stats } }) {
    const { recent, ...counts } = await stats.get();
    return {
      ...counts,
      recent: recent.map(({ createdAt, ...event }) => ({ ...event, created_at: createdAt })),
    };
  },
});

export const getReadiness = route({
  summary: 'Whether what is sent would be kept, tried at most once a second',
  response: Type.Object({ status: Type.String() }),
  failures: [notReady()],
  async handle({ parts: { readiness } }) {
    await readiness.check();
    return { status: 'ok' };
  },
});

export const getHealth = route({
  summary: 'Whether the service can do its work',
  response: Type.Object({ status: Type.String() }),
  async handle({ parts }) {
    await parts.checkHealth();
    return { status: 'ok' };
  },
});
