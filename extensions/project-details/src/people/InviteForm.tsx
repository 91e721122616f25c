import { useNotify, usePageQuery, useProject } from '@pult/sdk'
import { limits, type Product, type Project, type SentInvitation } from '@pult/sdk/api'
import { messageFor, useDraft, useUnsavedInput } from '@pult/sdk/resource'
import { Alert, Button, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useRef } from 'react'
import { useInvite, useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { RoleOptions } from './RoleOptions.tsx'

/** Errors shown at the address field. */
const atAddress = (error: unknown) => messageFor('email', error, ['ALREADY_MEMBER'])

/** Value without a chosen role. */
const empty = { email: '', chosen: '' }

export function InviteForm({ onSent }: { onSent: (sent: SentInvitation) => void }) {
  const project = useProject()
  const { data: products = [], error: productsError } = useProducts()
  const { mutateAsync: invite, isPending, error, reset } = useInvite()
  const notify = useNotify()
  const field = useRef<HTMLInputElement>(null)
  const [{ email, chosen }, setDraft] = useDraft('project-details invitation', empty)
  // The lowest role comes first, so that a careless invitation grants the least.
  const productRole = chosen || firstRole(products, project)
  // "Invite" on home and in the palette opens this form and focuses the address.
  const [{ invite: isWanted }] = usePageQuery()
  const entered = email.trim()
  useUnsavedInput(email !== '')

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || productRole === '' || isPending) return
    try {
      onSent(await invite({ email: entered, productRole }))
      setDraft((draft) => (draft.email === email ? { ...draft, email: '' } : draft))
    } catch (refusal) {
      // The input stays for correction.
      if (atAddress(refusal) !== undefined) field.current?.focus()
      notify({ title: texts.inviteFailed, error: refusal })
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
        autoFocus={isWanted !== undefined}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
        ref={field}
        value={email}
        error={atAddress(error)}
        onChange={({ target }) => {
          setDraft((draft) => ({ ...draft, email: target.value }))
          reset()
        }}
      />
      <SelectField
        label={texts.role}
        value={productRole}
        onChange={({ target }) => setDraft((draft) => ({ ...draft, chosen: target.value }))}
      >
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

const firstRole = (products: readonly Product[], project: Project): string =>
  products.find(({ sku, roles }) => project.products.includes(sku) && roles.length > 0)?.roles[0]?.id ?? ''
