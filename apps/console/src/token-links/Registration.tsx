import { limits, tokenLinkEndpoints } from '@pult/contract'
import { type Problems, useFormFields } from '@pult/sdk/resource'
import { Alert, Button, TextField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { langOfGerman } from '#platform/locale.ts'
import { beginSession } from '#platform/session.ts'
import { AccountAddress } from './AccountAddress.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { nameProblems, trimName } from './new-name.ts'
import { type NewPassword, passwordProblems, passwordRefusalOf } from './new-password.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'
import { keepNames, takeNames } from './typed-names.ts'

interface RegistrationProps {
  token: string
  /** The invited address, with which the user will sign in. */
  email: string
  /** Called with the project to which the account was invited, if there is one. */
  onRegistered: (projectId: string | undefined) => void
  /** Called when the user signs in instead. */
  onHasAccount: () => void
}

type Registrant = NewPassword & Record<'firstname' | 'lastname', string>

const problemsOf = (values: Registrant): Problems<Registrant> => ({
  ...nameProblems(values, texts.nameTooShort),
  ...passwordProblems(values),
})

export function Registration({ token, email, onRegistered, onHasAccount }: RegistrationProps) {
  const [names] = useState(() => takeNames(email))
  const element = useRef<HTMLFormElement>(null)
  const { form, shown, values, isFit, isRefused, refuse } = useFormFields<Registrant>({
    name: null,
    saved: { values: { ...names, password: '', confirmation: '' } },
    clean: trimName,
    problemsOf,
    refusalOf: passwordRefusalOf,
    element,
  })
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const { firstname, lastname } = shown
  useEffect(() => {
    const keep = () => keepNames({ email, firstname, lastname })
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [email, firstname, lastname])

  const save = async ({ confirmation: _confirmation, ...body }: Registrant) => {
    setSaving(true)
    setFailure(null)
    try {
      const reply = await api(tokenLinkEndpoints.redeem, {
        params: { token },
        language: langOfGerman(),
        body,
      })
      if (reply.token !== undefined) beginSession(reply.token)
      onRegistered(reply.projectId)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SIGN_IN_TO_ACCEPT') return onHasAccount()
      if (!refuse(error)) setFailure(error)
      setSaving(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isSaving && isFit()) void save(values)
  }

  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      <h1>{texts.registration}</h1>
      <p className={styles.lead}>{texts.invitedAs}</p>
      <AccountAddress email={email} />
      <div className={styles.fields}>
        <div className={styles.names}>
          <TextField
            label={texts.firstname}
            autoFocus
            autoComplete="given-name"
            maxLength={limits.nameMax}
            {...form.text('firstname')}
          />
          <TextField
            label={texts.lastname}
            autoComplete="family-name"
            maxLength={limits.nameMax}
            {...form.text('lastname')}
          />
        </div>
        <NewPasswordFields
          label={texts.password}
          password={form.text('password')}
          confirmation={form.text('confirmation')}
          ownWords={[firstname, lastname, email]}
        />
      </div>
      <Button type="submit" variant="primary" pending={isSaving} pendingLabel={texts.creating}>
        {texts.create}
      </Button>
      {isRefused && <Alert tone="danger">{texts.refused}</Alert>}
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
      <Button variant="ghost" onClick={onHasAccount}>
        {texts.hasAccount}
      </Button>
    </form>
  )
}
