import { isCancelled, useChange, useNotify } from '@pult/sdk'
import { type Project, projectEndpoints } from '@pult/sdk/api'
import { rootPeopleEndpoints } from '@pult/sdk/api/root'
import { messageFor } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { accounts } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'
import { HandOver, type Unsent } from './HandOver.tsx'
import { ProjectChoice } from './ProjectChoice.tsx'
import { RoleSelect } from './RoleSelect.tsx'

/** Access that an invitation grants. */
type Gift = 'account' | 'root' | 'role'

const nothingEntered = {
  email: '',
  gift: 'account' as Gift,
  project: null as Project | null,
  productRole: '',
}

/** Invites a user. Without a mail server, it then shows the link, which the inviter passes on. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [entered, setEntered] = useState(nothingEntered)
  const [isComplete, setComplete] = useState(true)
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const { email, gift, project, productRole } = entered
  const notify = useNotify()
  const toProject = useChange(
    projectEndpoints.invite,
    () => ({ params: { projectId: project?._id ?? '' }, body: { email: email.trim(), productRole } }),
    { touches: [...accounts, projectEndpoints.invitations] },
  )
  const toInstallation = useChange(
    rootPeopleEndpoints.invite,
    () => ({ body: { email: email.trim(), isRoot: gift === 'root' } }),
    { touches: accounts },
  )
  const invite = gift === 'role' ? toProject : toInstallation

  const enter = (changes: Partial<typeof nothingEntered>) => {
    setEntered({ ...entered, ...changes })
    invite.reset()
  }
  const close = () => {
    onClose()
    setEntered(nothingEntered)
    setComplete(true)
    setUnsent(null)
    invite.reset()
  }
  const missing = {
    email: email.trim() === '' ? texts.emailMissing : undefined,
    project: gift === 'role' && project === null ? texts.projectMissing : undefined,
    role: gift === 'role' && productRole === '' ? texts.chooseRole : undefined,
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const isMissing = Object.values(missing).some((each) => each !== undefined)
    setComplete(!isMissing)
    if (isMissing) return
    try {
      const { invitation, link } = await invite.mutateAsync()
      if (link === undefined) {
        notify({ title: texts.invited(invitation.email), tone: 'success' })
        close()
      } else setUnsent({ email: invitation.email, link })
    } catch {
      // The dialog opens again with the error and the entered values.
    }
  }
  const wrongEmail = messageFor('email', invite.error)
  const shown = isComplete ? { email: undefined, project: undefined, role: undefined } : missing

  if (unsent !== null) {
    return (
      <Dialog open={open} title={texts.inviteTitle} size="md" onClose={close}>
        <HandOver {...unsent} />
        <DialogActions>
          <Button variant="primary" onClick={close}>
            {texts.close}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    // Closes first, because a step-up dialog may take its place.
    <Dialog
      open={open && !invite.isPending}
      title={texts.inviteTitle}
      unsaved={email !== '' || gift !== 'account'}
      size="md"
      onClose={close}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={texts.email}
          name="invited-email"
          autoComplete="off"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoFocus
          value={email}
          error={shown.email ?? wrongEmail}
          onChange={({ target }) => enter({ email: target.value })}
        />
        <SelectField
          label={texts.gives}
          value={gift}
          description={gift === 'root' ? texts.givesRootHint : undefined}
          onChange={({ target }) => enter({ gift: target.value as Gift })}
        >
          <option value="account">{texts.givesAccount}</option>
          <option value="root">{texts.givesRoot}</option>
          <option value="role">{texts.givesRole}</option>
        </SelectField>
        {gift === 'role' && (
          <>
            <ProjectChoice
              chosen={project}
              error={shown.project}
              onChoose={(chosen) => enter({ project: chosen, productRole: '' })}
            />
            {project !== null && (
              <RoleSelect
                products={project.products}
                value={productRole}
                error={shown.role}
                onChange={(role) => enter({ productRole: role })}
              />
            )}
          </>
        )}
        {invite.error !== null && wrongEmail === undefined && !isCancelled(invite.error) && (
          <Alert tone="danger" title={texts.inviteFailed}>
            {invite.error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" variant="primary">
            {texts.sendInvitation}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
