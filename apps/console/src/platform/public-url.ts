/** The origin in the setting PULT_URL, from `<meta name="pult-url">`. Null in a document of a dev server. */
const publicUrl = document.querySelector<HTMLMetaElement>('meta[name="pult-url"]')?.content ?? null

/**
 * This page at the public address, or null if it was opened there. The server accepts live connections and passkeys
 * only from pages of the public address.
 */
export const publicPlace =
  publicUrl === null || publicUrl === location.origin
    ? null
    : new URL(location.pathname + location.search + location.hash, publicUrl)

/** The page at the https address, if it was opened over plain http, where passwords would travel unencrypted. */
export const httpsPlace = !isSecureContext && publicPlace?.protocol === 'https:' ? publicPlace : null
