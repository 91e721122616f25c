import { limits, tokenLinkEndpoints } from '@pult/contract'
import { Alert, Button, TextField } from '@pult/ui'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '#platform/api.ts'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { beginSession } from '#platform/session.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { lengthOf, type NewPassword, newPasswordRules } from './new-password.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'
import { keepNames, takeNames } from './typed-names.ts'

interface RegistrationProps {
  token: string
  /** The invited address, which the person will sign in with. */
  email: string
  onRegistered: () => void
}

interface Values extends NewPassword {
  firstname: string
  lastname: string
}

const isField = (name: unknown): name is 'firstname' | 'lastname' | 'password' =>
  name === 'firstname' || name === 'lastname' || name === 'password'
const nameRule = (name: string) => lengthOf(name.trim()) >= limits.nameMin || texts.nameTooShort

export function Registration({ token, email, onRegistered }: RegistrationProps) {
  const [defaultValues] = useState(() => takeNames(email))
  const { register, handleSubmit, setError, formState, getValues } = useForm<Values>({ defaultValues })
  const { errors, isSubmitting } = formState
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    const keep = () => {
      const { firstname, lastname } = getValues()
      keepNames({ email, firstname, lastname })
    }
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [email, getValues])

  const submit = handleSubmit(async ({ firstname, lastname, password }) => {
    setFailure(null)
    try {
      const body = { firstname: firstname.trim(), lastname: lastname.trim(), password }
      const reply = await api(tokenLinkEndpoints.redeem, { params: { token }, body })
      if (reply.token !== undefined) beginSession(reply.token)
      onRegistered()
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : []
      const known = issues.flatMap(({ path: [field], message }) =>
        isField(field) ? [{ field, message }] : [],
      )
      for (const { field, message } of known) setError(field, { message }, { shouldFocus: true })
      if (known.length === 0) setFailure(error)
    }
  })

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{texts.registration}</h1>
      <p className={styles.lead}>{texts.invitedAs}</p>
      <div className={styles.fields}>
        <TextField
          label={texts.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          readOnly
        />
        <div className={styles.names}>
          <TextField
            label={texts.firstname}
            autoComplete="given-name"
            maxLength={limits.nameMax}
            error={errors.firstname?.message}
            {...register('firstname', { validate: nameRule })}
          />
          <TextField
            label={texts.lastname}
            autoComplete="family-name"
            maxLength={limits.nameMax}
            error={errors.lastname?.message}
            {...register('lastname', { validate: nameRule })}
          />
        </div>
        <NewPasswordFields
          label={texts.password}
          password={register('password', newPasswordRules.password)}
          confirmation={register('confirmation', newPasswordRules.confirmation)}
          errors={errors}
        />
      </div>
      <Button type="submit" variant="primary" pending={isSubmitting} pendingLabel={texts.creating}>
        {texts.create}
      </Button>
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
    </form>
  )
}
