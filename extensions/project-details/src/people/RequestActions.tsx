import { useCredentials, useNotify } from '@pult/sdk'
import type { AccessRequest, Project, SentInvitation } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import { useChangeRole, useDeclineRequest, useInvite } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'

interface RequestActionsProps {
  request: AccessRequest
  project: Project
  onSent: (sent: SentInvitation) => void
  /** Root edits all roles of the person in a dialog. */
  onGrant: () => void
}

/**
 * Answers a request. Only root adds a grant (RULE-53). An owner changes the role of a grant of the same product, and
 * otherwise invites the person with the role.
 */
export function RequestActions({ request, project, onSent, onGrant }: RequestActionsProps) {
  const { isRoot } = useCredentials()
  const { mutateAsync: change, isPending: isChanging } = useChangeRole()
  const { mutateAsync: invite, isPending: isInviting } = useInvite()
  const { mutateAsync: decline, isPending: isDeclining } = useDeclineRequest()
  const notify = useNotify()
  const { person, productRole } = request
  const grant = grantToChange(project, request)
  const isBusy = isChanging || isInviting || isDeclining

  const attempt = async (act: () => Promise<void>, failed: string) => {
    try {
      await act()
    } catch (error) {
      notify({ title: failed, error })
    }
  }
  const give = () => {
    if (isRoot) return onGrant()
    if (grant === undefined)
      return void attempt(
        async () => onSent(await invite({ email: person.email, productRole })),
        texts.inviteFailed,
      )
    void attempt(async () => {
      await change({ grantId: grant._id, productRole })
      notify({ title: texts.roleChanged(person.name), tone: 'success' })
    }, texts.roleFailed)
  }
  const refuse = () =>
    void attempt(async () => {
      await decline(request._id)
      notify({ title: texts.declined(person.name), tone: 'info' })
    }, texts.declineFailed)

  const [label, name] = isRoot
    ? [texts.giveRole, texts.giveRoleTo(person.name)]
    : grant === undefined
      ? [texts.invite, texts.invitePerson(person.name)]
      : [texts.changeRole, texts.changeRoleOf(person.name)]
  return (
    <span className={styles.actions}>
      <Button aria-label={name} disabled={isBusy} onClick={give}>
        {label}
      </Button>
      <Button variant="ghost" aria-label={texts.declineOf(person.name)} disabled={isBusy} onClick={refuse}>
        {texts.decline}
      </Button>
    </span>
  )
}

/** The person's grant of the same product, or one without a role. */
function grantToChange({ grants }: Project, { person, productRole }: AccessRequest) {
  const held = grants.filter(({ user }) => user === person._id)
  const product = productRole.split('/')[0]
  return (
    held.find((grant) => grant.productRole?.split('/')[0] === product) ??
    held.find((grant) => grant.productRole === null)
  )
}
