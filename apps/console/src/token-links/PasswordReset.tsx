import { tokenLinkEndpoints } from '@pult/contract'
import { Alert, Button, TextField } from '@pult/ui'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '#platform/api.ts'
import { messageOf } from '#platform/api-error.ts'
import { langOfGerman } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { type NewPassword, newPasswordRules } from './new-password.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface PasswordResetProps {
  token: string
  /** The address that the link was sent to, by which the person signs in. */
  email: string
}

/** A forgotten password is set anew; whoever did it then signs in with it. */
export function PasswordReset({ token, email }: PasswordResetProps) {
  const [isSaved, setSaved] = useState(false)
  usePageTitle(isSaved ? texts.passwordSaved : texts.passwordReset)

  const succeed = () => {
    // The link is used up: neither the address bar nor a reload shall lead back to it.
    history.replaceState(null, '', '/')
    setSaved(true)
  }

  return (
    <StagePanel lang={langOfGerman()}>
      {isSaved ? (
        <LinkSuccess title={texts.passwordSaved} text={texts.passwordSavedText} action={texts.signIn} />
      ) : (
        <ResetForm token={token} email={email} onSaved={succeed} />
      )}
    </StagePanel>
  )
}

function ResetForm({ token, email, onSaved }: PasswordResetProps & { onSaved: () => void }) {
  const { register, handleSubmit, formState } = useForm<NewPassword>()
  const { errors, isSubmitting } = formState
  const [failure, setFailure] = useState<unknown>(null)

  const submit = handleSubmit(async ({ password }) => {
    setFailure(null)
    try {
      await api(tokenLinkEndpoints.redeem, { params: { token }, body: { password } })
      onSaved()
    } catch (error) {
      setFailure(error)
    }
  })

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{texts.passwordReset}</h1>
      <div className={styles.fields}>
        <TextField
          label={texts.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          readOnly
        />
        <NewPasswordFields
          label={texts.newPassword}
          password={register('password', newPasswordRules.password)}
          confirmation={register('confirmation', newPasswordRules.confirmation)}
          errors={errors}
        />
      </div>
      <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel={texts.savingPassword}>
        {texts.savePassword}
      </Button>
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
    </form>
  )
}
