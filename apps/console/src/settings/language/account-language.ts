import { type Locale, locale } from '#platform/locale.ts'
import { storage } from '#platform/storage.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'

/** As the person chose here. The browser asks about unsaved input; who stays gets the language with the next page. */
export function speakFromNowOn(language: Locale): void {
  storage.locale.write(language)
  if (language !== locale) location.reload()
}

/** As the account says. Nobody is interrupted for it: with unsaved input it waits for the next page. */
export async function followLanguage(language: Locale): Promise<void> {
  if (storage.locale.read() === language) return
  storage.locale.write(language)
  // Without storage the language would be forgotten by the reload, and asked for again.
  if (language === locale || !isStorageThere() || hasUnsavedInput()) return
  location.reload()
  // What waits for this is not to go on as if the page stayed.
  await new Promise(() => {})
}

function isStorageThere(): boolean {
  try {
    return localStorage.length > 0
  } catch {
    return false
  }
}
