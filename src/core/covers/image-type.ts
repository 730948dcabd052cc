/** The image types that a cover may have. Each name is also the file extension. */
export const imageTypes = ['png', 'jpg', 'webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/**
 * Returns the image type of a file from its first bytes (account-api.md, Cover). The JPEG signature
 * means JPEG. A RIFF container with the WEBP marker means WebP. All other bytes are treated as PNG.
 */
export function imageTypeOf(head: Uint8Array): ImageType {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 12)).toString(
    'latin1',
  );
  if (text.startsWith('\xff\xd8\xff')) return 'jpg';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  return 'png';
}

export const contentTypes: Readonly<Record<ImageType, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};
