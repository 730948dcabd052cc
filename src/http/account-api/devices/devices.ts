import { Type } from 'typebox';
import type { Device } from '../../../core/devices/device.ts';
import {
  invalidField,
  noSuchProfile,
  notFound,
  tooManyDevices,
} from '../../../core/shared/errors.ts';
import { actorOf, credentialOf } from '../accounts/access.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { route } from '../route.ts';
import { integerId, Ok, textField } from '../schemas.ts';

/** Lifetime of a device's URL in days, if the request states none. */
const defaultDays = 365;

const userParams = Type.Object({ user_id: integerId });
const list = Type.Object({ items: Type.Array(Type.Ref('Device')) });

export const listOwnDevices = route({
  summary: "One's own devices, newest first",
  query: pageQuery,
  response: list,
  async handle({ parts: { devices }, query, request }) {
    const items = await devices.list(credentialOf(request).user.id, pageOf(query));
    return { items: items.map(toDeviceRecord) };
  },
});

export const createDevice = route({
  summary: 'Create a URL at which a device reads a set; it is shown once',
  body: Type.Object({
    name: textField,
    set_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    profile: textField,
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description: '0 for no expiry; absent: one year',
      }),
    ),
  }),
  response: Type.Object({
    device: Type.Ref('Device'),
    path: Type.String({
      description: 'path of the URL, with its secret: `/play/<secret>/<profile>/`',
    }),
  }),
  failures: [invalidField('name', '<problem>'), notFound(), noSuchProfile(), tooManyDevices()],
  async handle({ parts: { devices, basePath }, body, request, reply }) {
    const { name, set_id, profile, expires_in_days } = body();
    if (typeof set_id !== 'number') throw invalidField('set_id', 'must be the id of a set');
    const { device, secret } = await devices.create(
      {
        ...{ ownerId: credentialOf(request).user.id, name: name ?? '', setId: set_id },
        ...{ profile: profile ?? '', days: expires_in_days ?? defaultDays },
      },
      actorOf(request),
    );
    reply.header('cache-control', 'no-store');
    const path = `${basePath}/play/${secret}/${encodeURIComponent(device.profile)}/`;
    return { device: toDeviceRecord(device), path };
  },
});

export const revokeOwnDevice = route({
  summary: "Revoke the URL of one of one's own devices",
  params: Type.Object({ device_id: integerId }),
  response: Ok,
  async handle({ parts: { devices }, params, request }) {
    await devices.revoke(credentialOf(request).user.id, params.device_id, actorOf(request));
    return { ok: true };
  },
});

export const listUserDevices = route({
  summary: 'The devices of a user, newest first',
  params: userParams,
  query: pageQuery,
  response: list,
  async handle({ parts: { devices }, params, query }) {
    const items = await devices.list(params.user_id, pageOf(query));
    return { items: items.map(toDeviceRecord) };
  },
});

export const revokeUserDevice = route({
  summary: 'Revoke the URL of a device of a user',
  params: Type.Object({ user_id: integerId, device_id: integerId }),
  response: Ok,
  async handle({ parts: { devices }, params: { user_id, device_id }, request }) {
    await devices.revoke(user_id, device_id, actorOf(request));
    return { ok: true };
  },
});

function toDeviceRecord(device: Device) {
  return {
    id: device.id,
    name: device.name,
    set: { id: device.setId, name: device.setName },
    profile: device.profile,
    created_at: device.createdAt,
    expires_at: device.expiresAt,
    last_used_at: device.lastUsedAt,
    last_file: device.lastFile,
    last_file_at: device.lastFileAt,
  };
}
