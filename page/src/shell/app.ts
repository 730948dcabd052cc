import { watchReachability } from '../api/request.ts';
import { checkHealth, findNotReady, readSession, signIn, signOut } from '../api/session.ts';
import { Session } from '../session/session.svelte.ts';
import { Connection } from './connection.svelte.ts';
import { Writability } from './writability.svelte.ts';

// All screens share these objects, which exist until the tab is closed.

export const connection = new Connection(checkHealth);
watchReachability((isReachable) => connection.recordReachability(isReachable));

export const writability = new Writability(findNotReady);

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('catalog.session') : null;
export const session = new Session({ read: readSession, signIn, signOut }, channel);
