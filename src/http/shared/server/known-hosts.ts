import { isIPv4 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownHost } from '../../../core/shared/errors.ts';

/**
 * Returns a function that tests whether a request's host is known: the host of a public URL, such
 * as `https://catalog.example`, or this machine's loopback. Without public URLs every host is
 * known.
 */
export function knownHosts(publicUrls: readonly string[]): (host: string) => boolean {
  if (publicUrls.length === 0) return () => true;
  const known = publicUrls.map((text) => new URL(text));
  return (host) =>
    known.some(({ protocol, host: own }) => hostOf(protocol, host) === own) || isLoopback(host);
}

/**
 * Returns an `onRequest` hook that throws `unknown host` if the request is for an unknown host.
 * This protects against DNS rebinding, where another site's name resolves to this server. Requests
 * from a page of that site then have the site's name as host.
 */
export function checkHost(isKnown: (host: string) => boolean) {
  return (
    { raw: { headers } }: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const { host } = headers;
    if (host === undefined || isKnown(host)) done();
    else done(unknownHost());
  };
}

/**
 * Returns the host in lower case, without the protocol's default port; "" if the host is invalid.
 */
function hostOf(protocol: string, host: string): string {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : '';
}

/**
 * Returns true if the host is a loopback name or address, which never leaves the machine (RFC 6761,
 * 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
 */
function isLoopback(host: string): boolean {
  const url = `http://${host}`;
  const name = URL.canParse(url) ? new URL(url).hostname : '';
  const isLoopbackIPv4 = isIPv4(name) && name.startsWith('127.');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopbackIPv4;
}
