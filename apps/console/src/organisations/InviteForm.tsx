import { limits } from '@pult/contract'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import type { Sent } from './Invitations.tsx'
import styles from './Organisations.module.css'
import { useInvite } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

export function InviteForm({ orgId, onSent }: { orgId: string; onSent: (sent: Sent) => void }) {
  const [email, setEmail] = useState('')
  const { mutateAsync: invite, isPending } = useInvite(orgId)
  const entered = email.trim()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || isPending) return
    try {
      onSent(await invite(entered))
      setEmail('')
    } catch (error) {
      // What was typed stays, to be put right.
      if (!isSessionEnd(error)) notify.error(texts.inviteFailed, error)
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
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" disabled={entered === ''} pending={isPending} pendingLabel={texts.inviting}>
        {texts.invite}
      </Button>
    </form>
  )
}
