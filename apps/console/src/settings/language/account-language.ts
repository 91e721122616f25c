import { type Locale, locale } from '#platform/locale.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'

/**
 * Applies the user's choice. With unsaved input the browser asks, and a user who stays gets the language on the next
 * page load.
 */
export function applyLanguage(language: Locale): void {
  storage.locale.write(language)
  if (language !== locale) openDocument()
}

/** Applies the account's language. With unsaved input it takes effect at the next page load. */
export async function followLanguage(language: Locale): Promise<void> {
  if (storage.locale.read() === language) return
  storage.locale.write(language)
  if (language === locale || hasUnsavedInput()) return
  openDocument()
  // Never resolves, because the page is about to reload.
  await new Promise(() => {})
}
