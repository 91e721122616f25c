import type { OwnAccessRequest } from '@pult/contract'
import { TimeAgo } from '@pult/ui'
import { texts } from './access.texts.ts'

/** The state of a request of the user, and its time. */
export function RequestState({ state, role, createdAt, endedAt, endedBy }: OwnAccessRequest) {
  const words = {
    pending: texts.asked(role.label),
    invited: texts.invited(role.label),
    granted: texts.granted(endedBy, role.label),
    declined: texts.declined(endedBy, role.label),
  }
  return (
    <span>
      {words[state]} · <TimeAgo at={endedAt ?? createdAt} />
    </span>
  )
}
