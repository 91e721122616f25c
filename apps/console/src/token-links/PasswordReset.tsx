import { tokenLinkEndpoints } from '@pult/contract'
import { useFormFields } from '@pult/sdk/resource'
import { Alert, Button } from '@pult/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { messageOf } from '#platform/api-error.ts'
import { langOfGerman } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { AccountAddress } from './AccountAddress.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { type NewPassword, passwordProblems, passwordRefusalOf } from './new-password.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface PasswordResetProps {
  token: string
  /** The link's address, with which the user signs in. */
  email: string
}

/** Sets a new password by a link; the user then signs in with it. */
export function PasswordReset({ token, email }: PasswordResetProps) {
  const [isSaved, setSaved] = useState(false)
  usePageTitle(isSaved ? texts.passwordSaved : texts.passwordReset)

  const succeed = () => {
    // The link has been redeemed, so neither the address bar nor a reload may lead back to it.
    history.replaceState(null, '', '/')
    setSaved(true)
  }

  return (
    <StagePanel lang={langOfGerman()}>
      {isSaved ? (
        <LinkSuccess
          title={texts.passwordSaved}
          text={texts.passwordSavedText}
          href="/"
          action={texts.signIn}
        />
      ) : (
        <ResetForm token={token} email={email} onSaved={succeed} />
      )}
    </StagePanel>
  )
}

function ResetForm({ token, email, onSaved }: PasswordResetProps & { onSaved: () => void }) {
  const element = useRef<HTMLFormElement>(null)
  const { form, values, isFit, isRefused, refuse } = useFormFields<NewPassword>({
    name: null,
    saved: { values: { password: '', confirmation: '' } },
    problemsOf: passwordProblems,
    refusalOf: passwordRefusalOf,
    element,
  })
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const save = async ({ password }: NewPassword) => {
    setSaving(true)
    setFailure(null)
    try {
      await api(tokenLinkEndpoints.redeem, {
        params: { token },
        language: langOfGerman(),
        body: { password },
      })
      onSaved()
    } catch (error) {
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
      <h1>{texts.passwordReset}</h1>
      <AccountAddress email={email} />
      <div className={styles.fields}>
        <NewPasswordFields
          label={texts.newPassword}
          autoFocus
          password={form.text('password')}
          confirmation={form.text('confirmation')}
          ownWords={[email]}
        />
      </div>
      <Button type="submit" variant="primary" pending={isSaving} pendingLabel={texts.savingPassword}>
        {texts.savePassword}
      </Button>
      {isRefused && <Alert tone="danger">{texts.refused}</Alert>}
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
    </form>
  )
}
