import { limits } from '@pult/contract'
import { messageFor } from '@pult/sdk/resource'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import type { Sent } from './Invitations.tsx'
import styles from './Organisations.module.css'
import { useInvite } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** What is said at the address itself. */
const atAddress = (error: unknown) => messageFor('email', error, ['ALREADY_MEMBER'])

export function InviteForm({ orgId, onSent }: { orgId: string; onSent: (sent: Sent) => void }) {
  const [email, setEmail] = useState('')
  const { mutateAsync: invite, isPending, error, reset } = useInvite(orgId)
  const field = useRef<HTMLInputElement>(null)
  const entered = email.trim()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || isPending) return
    try {
      onSent(await invite(entered))
      setEmail('')
    } catch (refusal) {
      // What was typed stays, to be put right.
      if (atAddress(refusal) !== undefined) field.current?.focus()
      if (!isSessionEnd(refusal)) notify.error(texts.inviteFailed, refusal)
    }
  }

  return (
    <form className={styles.invite} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={texts.email}
        hideLabel
        placeholder={texts.email}
        name="invited-email"
        autoComplete="off"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
        ref={field}
        value={email}
        error={atAddress(error)}
        onChange={(event) => {
          setEmail(event.target.value)
          reset()
        }}
      />
      <Button type="submit" disabled={entered === ''} pending={isPending} pendingLabel={texts.inviting}>
        {texts.invite}
      </Button>
    </form>
  )
}
