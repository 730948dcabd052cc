import { isIPv4 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownHost } from '../../core/shared/errors.ts';

/**
 * Tells whether a request's host is one of the public addresses, e.g. `https://catalog.example`, or this machine; without
 * public addresses every host is known.
 */
export function knownHosts(publicUrls: readonly string[]): (host: string) => boolean {
  if (publicUrls.length === 0) return () => true;
  const known = publicUrls.map((text) => new URL(text));
  return (host) =>
    known.some(({ protocol, host: own }) => hostOf(protocol, host) === own) || isLoopback(host);
}

/**
 * An `onRequest` hook that throws `unknown host` when the request is for another host than known ones. A page of another
 * site that has its name point here (DNS rebinding) sends that name.
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

/** In lower case and without the port that the protocol implies; "" for what is no host. */
function hostOf(protocol: string, host: string): string {
  const address = `${protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

/** The names and addresses that never leave the machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
function isLoopback(host: string): boolean {
  const address = `http://${host}`;
  const name = URL.canParse(address) ? new URL(address).hostname : '';
  const isAddress = isIPv4(name) && name.startsWith('127.');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isAddress;
}
