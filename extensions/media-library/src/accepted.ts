/** The accepted types of media. SVG is excluded, because it is a document that can contain scripts. */
export const accepted =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,video/mp4,video/webm,video/ogg,video/quicktime,audio/*'
