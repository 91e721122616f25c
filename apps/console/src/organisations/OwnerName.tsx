import type { Organisation } from '@pult/contract'
import { Skeleton } from '@pult/ui'
import { useMembers } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** The record names its owner by id alone; the members, the owner first, are what the page behind the link shows too. */
export function OwnerName({ organisation: { _id, access } }: { organisation: Organisation }) {
  const isOwn = access === 'owner'
  const { data: members, error } = useMembers(_id, { enabled: !isOwn })
  if (isOwn) return texts.you
  const [owner] = members ?? []
  if (owner !== undefined) return `${owner.firstname} ${owner.lastname}`
  return error === null ? <Skeleton width="12ch" /> : null
}
