import { limits, tokenLinkEndpoints } from '@pult/contract'
import { useFormFields } from '@pult/sdk/resource'
import { Alert, Button, KnownUsername, PasswordField, SelectField, TextField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { type Locale, languageNames } from '#platform/locale.ts'
import { beginSession } from '#platform/session.ts'
import { openDocument } from '#platform/storage.ts'
import { nameProblems, trimName } from '../new-name.ts'
import { passwordProblemsIn, passwordRefusalOf } from '../new-password.ts'
import { PasswordStrength } from '../PasswordStrength.tsx'
import styles from './Setup.module.css'
import type { SetupWords } from './setup-words.ts'

interface SetupFormProps {
  token: string
  /** The first root's address, from the link. */
  email: string
  words: SetupWords
  language: Locale
  onCreating: (isCreating: boolean) => void
  onHasAccount: () => void
}

interface FirstRoot extends Record<string, string> {
  firstname: string
  lastname: string
  password: string
  confirmation: string
}

const empty: FirstRoot = { firstname: '', lastname: '', password: '', confirmation: '' }

/** Creates the first root account and chooses the installation's language. Then opens home. */
export function SetupForm({ token, email, words, language, onCreating, onHasAccount }: SetupFormProps) {
  const element = useRef<HTMLFormElement>(null)
  /** Null suggests the language of the page. */
  const [chosen, setChosen] = useState<Locale | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { form, shown, values, isFit, refuse } = useFormFields<FirstRoot>({
    name: null,
    saved: { values: empty },
    clean: trimName,
    problemsOf: (typed) => ({
      ...nameProblems(typed, words.nameTooShort),
      ...passwordProblemsIn(typed, words),
    }),
    refusalOf: passwordRefusalOf,
    element,
  })
  useEffect(() => {
    element.current
      ?.querySelector<HTMLInputElement>('input:not([tabindex="-1"])')
      ?.focus({ preventScroll: true })
  }, [])

  const save = async ({ confirmation: _confirmation, ...account }: FirstRoot) => {
    setSaving(true)
    onCreating(true)
    setFailure(null)
    try {
      const reply = await api(tokenLinkEndpoints.redeem, {
        params: { token },
        language,
        body: { ...account, language: chosen ?? language },
      })
      if (reply.token !== undefined) beginSession(reply.token)
      openDocument('/')
    } catch (error) {
      setSaving(false)
      onCreating(false)
      if (error instanceof ApiError && error.code === 'SIGN_IN_TO_ACCEPT') return onHasAccount()
      if (!refuse(error)) setFailure(error)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isSaving && isFit()) void save(values)
  }
  const { firstname, lastname, password, confirmation } = shown
  const isEqual = password.length >= limits.newPasswordMin && password === confirmation
  const showing = { showPasswordLabel: words.showPassword, hidePasswordLabel: words.hidePassword }

  return (
    <form ref={element} className={styles.form} lang={words.form} onSubmit={submit} noValidate>
      <ol className={styles.path} aria-label={words.path}>
        <li aria-current="step">{words.account}</li>
        <li>{words.firstProject}</li>
        <li>{words.firstEdge}</li>
      </ol>
      <div className={styles.head}>
        <h2>{words.account}</h2>
        <p>{words.accountText}</p>
      </div>
      <div className={styles.pair}>
        <TextField
          label={words.firstname}
          autoComplete="given-name"
          maxLength={limits.nameMax}
          {...form.text('firstname')}
        />
        <TextField
          label={words.lastname}
          autoComplete="family-name"
          maxLength={limits.nameMax}
          {...form.text('lastname')}
        />
      </div>
      <dl className={styles.fact}>
        <dt>{words.email}</dt>
        <dd>{email}</dd>
        <dd>{words.emailText}</dd>
      </dl>
      <KnownUsername value={email} />
      <div className={styles.pair}>
        <PasswordField
          label={words.password}
          autoComplete="new-password"
          {...showing}
          {...form.text('password')}
          description={
            <PasswordStrength password={password} ownWords={[firstname, lastname, email]} words={words} />
          }
        />
        <PasswordField
          label={words.confirmation}
          autoComplete="new-password"
          {...showing}
          {...form.text('confirmation')}
          description={isEqual ? words.passwordsMatch : undefined}
        />
      </div>
      <SelectField
        label={words.installation}
        description={words.installationText}
        value={chosen ?? language}
        onChange={({ target }) => setChosen(target.value as Locale)}
      >
        {Object.entries(languageNames).map(([value, name]) => (
          <option key={value} value={value}>
            {value === 'de' ? words.standard : name}
          </option>
        ))}
      </SelectField>
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
      <div className={styles.actions}>
        <Button variant="ghost" onClick={onHasAccount}>
          {words.hasAccount}
        </Button>
        <Button type="submit" variant="primary" pending={isSaving} pendingLabel={words.creating}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}
