import { Button } from '@pult/ui'
import Hand from 'lucide-react/icons/hand'
import { texts } from './access.texts.ts'
import { RequestState } from './RequestState.tsx'
import styles from './RoleNeeded.module.css'
import { useAsking } from './use-asking.ts'

export interface RoleNeededProps {
  projectId: string
  /** The required role and the part that needs it; by default every role of the project. */
  needed?: { role: string; subject: string } | undefined
}

/** Shows the required role and who grants it, with "Ask for access" and the state of the request. */
export function RoleNeeded({ projectId, needed }: RoleNeededProps) {
  const { offer, roles, requests, ask } = useAsking(
    projectId,
    needed === undefined ? {} : { role: needed.role },
  )
  return (
    <div className={styles.asking}>
      {offer !== undefined && (
        <p className={styles.text}>
          {needed !== undefined &&
            roles.length > 0 &&
            `${texts.needs(
              needed.subject,
              roles.map(({ label }) => label),
            )} `}
          {texts.askOwner(offer.owner.name)}
        </p>
      )}
      {requests.map((request) => (
        <p key={request._id} className={styles.text}>
          <RequestState {...request} />
        </p>
      ))}
      {ask && (
        <Button icon={<Hand />} onClick={ask}>
          {texts.ask}
        </Button>
      )}
    </div>
  )
}
