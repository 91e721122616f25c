import { profileEndpoints } from '@pult/contract'
import type { Problems } from '@pult/sdk/resource'

type NewName = Record<'firstname' | 'lastname', string>

export const trimName = <Values extends NewName>(values: Values): Values => ({
  ...values,
  firstname: values.firstname.trim(),
  lastname: values.lastname.trim(),
})

export function nameProblems({ firstname, lastname }: NewName, tooShort: string): Problems<NewName> {
  const { error } = profileEndpoints.update.body.safeParse({ firstname, lastname })
  const names = error?.issues.filter(({ code }) => code === 'too_small').map(({ path }) => path[0]) ?? []
  return Object.fromEntries(names.map((name) => [name, tooShort])) as Problems<NewName>
}
