/**
 * The accepted types of media, with the extensions of those for which a system may know no type, or another one. SVG is
 * excluded, because it is a document that can contain scripts.
 */
export const accepted =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,image/bmp,image/x-icon,.avif,.bmp,.ico,' +
  'video/mp4,video/webm,video/ogg,video/quicktime,video/x-m4v,video/x-matroska,.m4v,.mkv,audio/*'
