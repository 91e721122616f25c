import { Alert, Button, ButtonLink, IconButton } from '@pult/ui'
import X from 'lucide-react/icons/x'
import { useContactUrl } from './access.queries.ts'
import { texts } from './access.texts.ts'
import styles from './RefusalNotice.module.css'
import { RequestState } from './RequestState.tsx'
import { useAsking } from './use-asking.ts'

interface RefusalNoticeProps {
  title: string
  /** The reason, if no role is known. */
  text: string
  /** Undefined if the refusal does not concern a project. */
  projectId: string | undefined
  /** The refused app, or the required role. */
  of: { app?: string; role?: string }
  /** The name of the app or part that needs the role. */
  subject: string
  /** Whom or what to turn to if no role of the project opens it; by default its owner. */
  otherwise?: keyof typeof otherWays | undefined
  onClose?: () => void
}

const otherWays = {
  root: texts.askRoot,
  administrators: texts.askAdministrators,
  project: texts.chooseProject,
}

/** Shows the role that a refused app or part needs, who can grant it, "Ask for access" and the state of the request. */
export function RefusalNotice({
  title,
  text,
  projectId,
  of,
  subject,
  otherwise,
  onClose,
}: RefusalNoticeProps) {
  const { offer, roles, requests, ask } = useAsking(projectId, of)
  const contactUrl = useContactUrl()
  const granted = offer?.requests.find(({ state }) => state === 'granted')
  const isOpen = roles.length === 0 && granted !== undefined
  const isOfferKnown = projectId === undefined || offer !== undefined
  const other = roles.length > 0 || !isOfferKnown ? undefined : otherwise
  const isForOwner = offer !== undefined && other === undefined && !isOpen
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <span className={styles.actions}>
          {ask && <Button onClick={ask}>{texts.ask}</Button>}
          {other !== undefined && other !== 'project' && contactUrl && (
            <ButtonLink href={contactUrl} external={contactUrl.startsWith('http')}>
              {texts.contact}
            </ButtonLink>
          )}
          {onClose && <IconButton label={texts.close} icon={<X aria-hidden="true" />} onClick={onClose} />}
        </span>
      }
    >
      <span className={styles.lines}>
        <span>
          {roles.length > 0
            ? texts.needs(
                subject,
                roles.map(({ label }) => label),
              )
            : text}{' '}
          {isForOwner ? texts.askOwner(offer.owner.name) : other && otherWays[other]}
        </span>
        {(isOpen && granted ? [granted] : requests).map((request) => (
          <RequestState key={request._id} {...request} />
        ))}
      </span>
    </Alert>
  )
}
