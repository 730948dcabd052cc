import { describe, expect, test } from 'vitest';
import type { Role, SessionRecord } from '../src/api/model.ts';
import { type Channel, Session } from '../src/session/session.svelte.ts';

const record = (role: Role | null, signInRequired = false): SessionRecord => ({
  user: role && {
    id: 1,
    username: 'zoe',
    role,
    is_active: 1,
    created_at: '',
    last_login_at: null,
  },
  releases: role === null && signInRequired ? null : 12,
  version: 'v',
  sign_in_required: signInRequired,
  collection: role !== null,
  library_downloads: true,
  catalogue_source: true,
});

/** Returns a browser with two tabs, and a server with one session. */
function twoTabs() {
  const server = { role: null as Role | null, signInRequired: false };
  const api = {
    read: async () => record(server.role, server.signInRequired),
    signIn: async () => {
      server.role = 'editor';
    },
    signOut: async () => {
      server.role = null;
    },
  };
  const channels: Channel[] = [];
  const open = () => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data) => {
        for (const each of channels)
          if (each !== channel) each.onmessage?.(new MessageEvent('message', { data }));
      },
    };
    channels.push(channel);
    return new Session(api, channel);
  };
  return { server, tabs: [open(), open()] as const };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the session of the page', () => {
  test('knows no user before the server has responded', async () => {
    const { tabs } = twoTabs();
    expect([tabs[0].isKnown, tabs[0].user, tabs[0].hasRole('user')]).toEqual([false, null, false]);
    await tabs[0].load();
    expect([tabs[0].isKnown, tabs[0].user, tabs[0].releases]).toEqual([true, null, 12]);
  });

  test('grants a role the rights of lower roles', async () => {
    const { tabs } = twoTabs();
    await tabs[0].signIn('zoe', 'secret');
    const roles = ['user', 'editor', 'admin'] as const;
    expect(roles.map((role) => tabs[0].hasRole(role))).toEqual([true, true, false]);
  });

  test('passes sign-in and sign-out on to other tabs', async () => {
    const { tabs } = twoTabs();
    await tabs[0].signIn('zoe', 'secret');
    await settled();
    expect(tabs[1].user?.username).toBe('zoe');
    await tabs[1].signOut();
    await settled();
    expect(tabs[0].user).toBeNull();
  });

  test('signs out when the server has ended the session', async () => {
    const { tabs } = twoTabs();
    await tabs[0].signIn('zoe', 'secret');
    tabs[0].markSignedOut();
    expect([tabs[0].user, tabs[0].isKnown]).toEqual([null, true]);
  });

  test('knows when anonymous users must sign in', async () => {
    const { server, tabs } = twoTabs();
    server.signInRequired = true;
    await tabs[0].load();
    expect([tabs[0].needsSignIn, tabs[0].releases]).toEqual([true, null]);
    await tabs[0].signIn('zoe', 'secret');
    expect(tabs[0].needsSignIn).toBe(false);
  });

  test('stays signed out after a refused sign-in', async () => {
    const api = {
      read: async () => record(null),
      signIn: () => Promise.reject(new Error('wrong')),
      signOut: async () => {},
    };
    const session = new Session(api, null);
    await expect(session.signIn('zoe', 'x')).rejects.toThrow('wrong');
    expect(session.user).toBeNull();
  });
});
