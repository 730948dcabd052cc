import { connect, type Socket } from 'node:net';

/**
 * Opens a connection to a server, for sending arbitrary bytes. Ignores errors, for example when the
 * server closes the connection.
 */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
  });
}

/** Returns the header section of a request, including the blank line that ends it. */
export function requestHeader(
  method: string,
  path: string,
  fields: Readonly<Record<string, string>>,
) {
  const lines = Object.entries({ Host: 'localhost', ...fields });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${text}\r\n`;
}

const boundary = 'boundary-of-the-check';

/**
 * Returns the header fields of an upload of `size` bytes, and the bytes before and after the file.
 */
export function uploadFrame(name: string, size: number) {
  const before = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  return {
    before,
    after,
    fields: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(before.length + size + after.length),
    },
  };
}

/** Waits until `text` has arrived. Returns false if the connection ends first. */
export async function waitForText(socket: Socket, text: string): Promise<boolean> {
  let received = '';
  return new Promise((resolve) => {
    const onData = (chunk: Buffer) => {
      received = (received + chunk.toString('latin1')).slice(-65_536);
      if (received.includes(text)) end(true);
    };
    const onClose = () => end(false);
    const end = (hasArrived: boolean) => {
      socket.off('data', onData).off('close', onClose);
      resolve(hasArrived);
    };
    socket.on('data', onData).once('close', onClose);
    if (socket.destroyed) end(false);
  });
}
