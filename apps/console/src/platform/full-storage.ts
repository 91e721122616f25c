/**
 * Returns whether the browser rejects values because its storage is full. If it blocks site data, nothing can be read
 * either.
 */
export function isStorageFull(): boolean {
  try {
    localStorage.getItem('pult.token')
    return true
  } catch {
    return false
  }
}
