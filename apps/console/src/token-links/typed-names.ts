import { z } from '@pult/contract'
import { storage } from '#platform/storage.ts'

const names = z.object({ email: z.string(), firstname: z.string(), lastname: z.string() })
type Names = z.infer<typeof names>

/** Keeps what somebody has typed over the loading of the page anew, as another language has it. Never a password. */
export function keepNames(typed: Names): void {
  storage.typedNames.write(JSON.stringify(typed))
}

/** What was typed for this address before the page was loaded, once. */
export function takeNames(email: string): Pick<Names, 'firstname' | 'lastname'> {
  const kept = storage.typedNames.read()
  storage.typedNames.write(null)
  try {
    const typed = names.parse(JSON.parse(kept ?? ''))
    if (typed.email === email) return { firstname: typed.firstname, lastname: typed.lastname }
  } catch {
    // There is nothing, or nothing of ours.
  }
  return { firstname: '', lastname: '' }
}
