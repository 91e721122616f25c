import { passkeyEndpoints } from '@pult/contract'
import type { GivenPerson } from '@pult/testkit'
import type { SoftwareAuthenticator } from './software-authenticator.ts'

/** Registers a passkey as the user's browser would and returns its record. */
export async function registerPasskey(
  person: Pick<GivenPerson, 'call'>,
  authenticator: SoftwareAuthenticator,
  label = 'Laptop',
) {
  const options = await person.call(passkeyEndpoints.registerOptions)
  if (options.code !== undefined) throw new Error(`No registration began: ${options.code}`)
  const { body, code } = await person.call(passkeyEndpoints.registerResult, {
    body: { result: authenticator.register(options.body), label },
  })
  if (code !== undefined) throw new Error(`The passkey was not added: ${code}`)
  return body.meta
}
