import { z } from '@pult/contract'
import { storage } from '#platform/storage.ts'

const names = z.object({ email: z.string(), firstname: z.string(), lastname: z.string() })
type Names = z.infer<typeof names>

/** Stores typed names while a language change reloads the page. Passwords are never stored. */
export function keepNames(typed: Names): void {
  storage.typedNames.write(JSON.stringify(typed))
}

/** Returns the names stored for this address and deletes them. */
export function takeNames(email: string): Pick<Names, 'firstname' | 'lastname'> {
  const kept = storage.typedNames.read()
  storage.typedNames.write(null)
  try {
    const typed = names.parse(JSON.parse(kept ?? ''))
    if (typed.email === email) return { firstname: typed.firstname, lastname: typed.lastname }
  } catch {
    // Nothing valid is stored.
  }
  return { firstname: '', lastname: '' }
}
