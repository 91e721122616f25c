import { hash, verify } from '@node-rs/argon2'

/** OWASP's password storage cheat sheet, argon2id: m in KiB, t passes, p lanes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One password typed on two keyboards is one password (Unicode NFKC, NIST SP 800-63B). */
const prepared = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hash(prepared(password), cost)

export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  verify(stored, prepared(password))

/** Whether a stored hash was made with less work than is asked for today. */
export function isWeakerHash(stored: string): boolean {
  const parameters = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored)
  if (parameters === null) return true
  const [m = 0, t = 0] = parameters.slice(1).map(Number)
  return m < cost.memoryCost || t < cost.timeCost
}

/** What is verified when there is nobody to verify, so that an unknown name takes as long as a known one. */
let dummy: Promise<string> | undefined
export function dummyHash(): Promise<string> {
  dummy ??= hashPassword('nobody has this password').catch((error: unknown) => {
    dummy = undefined
    throw error
  })
  return dummy
}
