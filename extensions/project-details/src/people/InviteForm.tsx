import { useNotify, useProject } from '@pult/sdk'
import { limits } from '@pult/sdk/api'
import { Alert, Button, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { useInvite, useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import type { Sent } from './Invitations.tsx'
import styles from './People.module.css'
import { RoleOptions } from './RoleOptions.tsx'

export function InviteForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const project = useProject()
  const { data: products = [], error: productsError } = useProducts()
  const { mutateAsync: invite, isPending } = useInvite()
  const notify = useNotify()
  const [email, setEmail] = useState('')
  const [productRole, setProductRole] = useState('')
  const entered = email.trim()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || productRole === '' || isPending) return
    try {
      onSent(await invite({ email: entered, productRole }))
      setEmail('')
    } catch (error) {
      // What was typed stays, to be put right.
      notify({ title: texts.inviteFailed, error })
    }
  }

  if (productsError !== null)
    return (
      <Alert tone="danger" title={texts.productsFailed}>
        {productsError.message}
      </Alert>
    )
  return (
    <form className={styles.invite} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={texts.email}
        name="invited-email"
        autoComplete="off"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label={texts.role}
        value={productRole}
        onChange={({ target }) => setProductRole(target.value)}
      >
        <option value="" disabled>
          {texts.chooseRole}
        </option>
        <RoleOptions products={products} project={project} />
      </SelectField>
      <Button
        type="submit"
        disabled={entered === '' || productRole === ''}
        pending={isPending}
        pendingLabel={texts.inviting}
      >
        {texts.invite}
      </Button>
    </form>
  )
}
