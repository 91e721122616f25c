import { hash, verify } from '@node-rs/argon2'

/** OWASP's password storage cheat sheet, argon2id: m in KiB, t passes, p lanes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Normalises the spellings of different keyboards (Unicode NFKC, NIST SP 800-63B). */
const prepared = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hash(prepared(password), cost)

export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  verify(stored, prepared(password))

/** Returns whether a hash was made with weaker parameters than the current ones. */
export function isWeakerHash(stored: string): boolean {
  const parameters = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored)
  if (parameters === null) return true
  const [m = 0, t = 0] = parameters.slice(1).map(Number)
  return m < cost.memoryCost || t < cost.timeCost
}

/** A hash to verify for unknown names, so that they take as long as known ones. */
let dummy: Promise<string> | undefined
export function dummyHash(): Promise<string> {
  dummy ??= hashPassword('no account has this password').catch((error: unknown) => {
    dummy = undefined
    throw error
  })
  return dummy
}
