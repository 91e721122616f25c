import type { OwnAccessRequest, Refusal } from '@pult/contract'
import { limits } from '@pult/contract'
import { Alert, Button, Dialog, DialogActions, SelectField, Spinner, TextAreaField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useAsk, useOffer } from './access.queries.ts'
import { texts } from './access.texts.ts'
import { type AccessSubject, accessSubject } from './asking.ts'
import { RequestState } from './RequestState.tsx'

/** Requests a role from the owner of a project and root. */
export function AskDialog({ onClose }: { onClose: () => void }) {
  const [subject] = useState(accessSubject.get)
  const [message, setMessage] = useState('')
  return (
    <Dialog open title={texts.ask} unsaved={message !== ''} onClose={onClose}>
      {subject && <Asking {...subject} message={message} onMessage={setMessage} onClose={onClose} />}
    </Dialog>
  )
}

interface MessageProps {
  message: string
  onMessage: (message: string) => void
  onClose: () => void
}

function Asking({ projectId, roles, app, ...message }: AccessSubject & MessageProps) {
  const { data: offer, error, refetch } = useOffer(projectId, app === undefined ? {} : { app })
  if (error !== null)
    return (
      <Alert
        tone="danger"
        title={texts.offerFailed}
        action={<Button onClick={() => void refetch()}>{texts.retry}</Button>}
      >
        {error.message}
      </Alert>
    )
  if (offer === undefined) return <Spinner label={texts.ask} />
  return (
    <AskForm
      projectId={projectId}
      roles={roles ?? offer.roles}
      owner={offer.owner.name}
      none={app === undefined ? texts.noRoles : `${texts.noRoleOpens} ${texts.askOwner(offer.owner.name)}`}
      requests={offer.requests}
      {...message}
    />
  )
}

interface AskFormProps extends MessageProps {
  projectId: string
  roles: Refusal['roles']
  owner: string
  /** The text if no role can be requested. */
  none: string
  requests: readonly OwnAccessRequest[]
}

function AskForm({ projectId, roles, owner, none, requests, message, onMessage, onClose }: AskFormProps) {
  const { mutateAsync: ask, isPending, error } = useAsk(projectId)
  const [productRole, setProductRole] = useState(roles[0]?.id ?? '')
  const earlier = requests.find(({ role }) => role.id === productRole)
  const isWaiting = earlier?.state === 'pending' || earlier?.state === 'invited'

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    try {
      await ask({ productRole, ...(message.trim() !== '' && { message }) })
      notify.success(texts.sent, texts.sentText(owner))
      onClose()
    } catch {
      // The form shows the error and stays open.
    }
  }
  if (roles.length === 0)
    return (
      <>
        <p>{none}</p>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </DialogActions>
      </>
    )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <SelectField
        label={texts.role}
        value={productRole}
        onChange={({ target }) => setProductRole(target.value)}
      >
        {roles.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label={texts.message}
        maxLength={limits.accessMessageMax}
        rows={3}
        autoFocus
        value={message}
        onChange={({ target }) => onMessage(target.value)}
      />
      <p>{texts.sendsTo(owner)}</p>
      {earlier && !isPending && error === null && (
        <Alert tone="info">
          <RequestState {...earlier} />
        </Alert>
      )}
      {error !== null && (
        <Alert tone="danger" title={texts.failed}>
          {error.message}
        </Alert>
      )}
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={isWaiting}
          pending={isPending}
          pendingLabel={texts.sending}
        >
          {texts.send}
        </Button>
      </DialogActions>
    </form>
  )
}
