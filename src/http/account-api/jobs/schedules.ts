import { Type } from 'typebox';
import type { Schedule } from '../../../core/jobs/schedules.ts';
import { notFound } from '../../../core/shared/errors.ts';
import { actorOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';

const weekday = Type.Union([Type.Integer({ minimum: 0, maximum: 6 }), Type.Null()], {
  description: '0 is Sunday; null for every day',
});
const time = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'for example `03:00`, in the time zone of the server',
});

const schedule = Type.Object({
  kind: Type.String({ description: 'the kind of job that it starts' }),
  on: Type.Boolean(),
  weekday,
  time,
  next_at: Type.Union([timestamp, Type.Null()], { description: 'null while the schedule is off' }),
});

export const listSchedules = route({
  summary: 'The schedules of jobs',
  response: Type.Object({ items: Type.Array(schedule) }),
  async handle({ parts: { schedules } }) {
    return { items: (await schedules.list()).map(toSchedule) };
  },
});

export const changeSchedule = route({
  summary: 'Change the schedule of a kind of job',
  params: Type.Object({ kind: Type.String() }),
  body: Type.Object({
    on: Type.Optional(Type.Boolean()),
    weekday: Type.Optional(weekday),
    time: Type.Optional(time),
  }),
  response: schedule,
  failures: [notFound()],
  async handle({ parts: { schedules }, params: { kind }, body, request }) {
    await schedules.get(kind);
    const { on, ...rest } = body();
    const change = { ...rest, ...(on !== undefined && { isOn: on }) };
    return toSchedule(await schedules.change(kind, change, actorOf(request)));
  },
});

function toSchedule({ isOn, nextAt, ...rest }: Schedule) {
  return { ...rest, on: isOn, next_at: nextAt };
}
