import { refusalOf, reportReachability, Unreachable } from './request.ts';

/**
 * Sends one file to `url`, as the form part `file` with the file name `name`.
 * `onProgress` receives the fraction of the bytes sent so far, from 0 to 1. Throws Refusal or
 * Unreachable.
 */
export function sendFile(
  url: string,
  file: Blob,
  name: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const form = new FormData();
  form.append('file', file, name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => {
      reportReachability(false);
      reject(new Unreachable());
    };
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else reject(refusalOf(status, responseText, request.getResponseHeader('retry-after')));
    };
    request.send(form);
  });
}
