import { type ErrorCode, limits } from '@pult/contract'
import { type Problems, useFormFields, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, KnownUsername, PageHead, PasswordField, type PasswordFieldProps } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import styles from './PasswordPage.module.css'
import { changePassword } from './password.queries.ts'
import { texts } from './password.texts.ts'

type Passwords = Record<'current' | 'next' | 'confirmation', string>

const saved = { values: { current: '', next: '', confirmation: '' } }

/** Returns the field that an error refers to. */
const fieldOf: Partial<Record<ErrorCode, keyof Passwords>> = {
  WRONG_PASSWORD: 'current',
  PASSWORD_TOO_SHORT: 'next',
  PASSWORD_TOO_LONG: 'next',
  PASSWORD_TOO_COMMON: 'next',
}

function refusalOf(error: unknown): Problems<Passwords> | undefined {
  const field = error instanceof ApiError ? fieldOf[error.code as ErrorCode] : undefined
  return field && { [field]: messageOf(error) }
}

function problemsOf({ next, confirmation }: Passwords): Problems<Passwords> {
  const problems: Problems<Passwords> = {}
  if (next === '') problems.next = texts.newPasswordMissing
  // The server counts code points as well.
  else if ([...next].length < limits.newPasswordMin) problems.next = texts.newPasswordTooShort
  if (confirmation === '') problems.confirmation = texts.confirmationMissing
  else if (confirmation !== next) problems.confirmation = texts.confirmationDiffers
  return problems
}

export function PasswordPage() {
  const { email } = useCredentials()
  const [isSaving, setSaving] = useState(false)
  const element = useSaveShortcut()
  const { form, values, hasChanges, isFit, refuse, discard } = useFormFields<Passwords>({
    name: null,
    saved,
    problemsOf,
    refusalOf,
    element,
  })
  useUnsavedInput(hasChanges)

  const save = async ({ current, next }: Passwords) => {
    setSaving(true)
    try {
      await changePassword({ newPass: next, ...(current !== '' && { oldPass: current }) })
      discard()
      notify.success(texts.changed, texts.changedText)
    } catch (error) {
      // The login replaces this page and reports the end of the session.
      if (isCancelled(error) || (error instanceof ApiError && error.code === 'UNAUTHENTICATED')) return
      refuse(error)
      // PASS-06
      notify.error(texts.changeError, error, { isBrief: true })
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isSaving && isFit()) void save(values)
  }

  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <Card flush>
        <form ref={element} onSubmit={submit} noValidate>
          <div className={styles.fields}>
            <KnownUsername value={email} />
            <Password
              className={styles.current}
              label={texts.currentPassword}
              autoComplete="current-password"
              {...form.text('current')}
              description={texts.currentPasswordHint}
            />
            <Password
              label={texts.newPassword}
              autoComplete="new-password"
              {...form.text('next')}
              description={texts.newPasswordHint}
            />
            <Password label={texts.confirmation} autoComplete="new-password" {...form.text('confirmation')} />
          </div>
          <div className={styles.actions}>
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              pending={isSaving}
              pendingLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}

type PasswordProps = Omit<PasswordFieldProps, 'showPasswordLabel' | 'hidePasswordLabel'>

function Password(props: PasswordProps) {
  return (
    <PasswordField {...props} showPasswordLabel={texts.showPassword} hidePasswordLabel={texts.hidePassword} />
  )
}
