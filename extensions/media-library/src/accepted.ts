/** What becomes a medium. SVG does not: it is a document that can do things. */
export const accepted =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,video/mp4,video/webm,video/ogg,video/quicktime,audio/*'
