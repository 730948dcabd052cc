import { Type } from 'typebox';
import { notReady, otherSchemaVersion } from '../../../core/shared/errors.ts';
import { presentedToken } from '../accounts/presented-token.ts';
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
  summary:
    'Whether writes would succeed, checked at most once a second; `not_ready` of a 503 lists the parts that are not ready',
  response: Type.Object({ status: Type.String() }),
  failures: [notReady()],
  errorSchema: 'NotReady',
  async handle({ parts: { readiness, departure }, request, reply }) {
    // Count only checks without a token as a load balancer's. The page sends its token, and a stop
    // does not wait for the page.
    if (presentedToken(request) === null) departure.recordReadinessCheck();
    departure.refuseChecks();
    const names = await readiness.findNotReady();
    if (names.length === 0) return { status: 'ok' };
    const { message, retryAfter } = notReady();
    return reply
      .code(503)
      .header('retry-after', retryAfter)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ detail: message, not_ready: names }));
  },
});

export const getHealth = route({
  summary: 'Whether the service can read its database',
  response: Type.Object({ status: Type.String() }),
  failures: [otherSchemaVersion()],
  async handle({ parts }) {
    parts.departure.refuseChecks();
    await parts.checkHealth();
    return { status: 'ok' };
  },
});
