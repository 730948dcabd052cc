import { connect } from 'node:net';
import { formPart, formType } from './ask.ts';

/** Starts an upload that promises more than it sends, and leaves amid the file. */
export function cutUpload(url: string, path: string, token: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const part = formPart({ bytes: Buffer.alloc(200_000, 'x'), filename: 'cut.zip' });
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: ${formType}\r\nContent-Length: 5000000\r\n\r\n`,
      );
      socket.write(part, () => setTimeout(() => socket.destroy(), 100));
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}
