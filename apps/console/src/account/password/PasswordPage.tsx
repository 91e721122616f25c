import { type ErrorCode, limits } from '@pult/contract'
import { useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, KnownUsername, PageHeader, PasswordField, type PasswordFieldProps } from '@pult/ui'
import { useForm } from 'react-hook-form'
import { ApiError } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { isCancelled } from '../../recent-sign-in/recent-sign-in.queries.ts'
import styles from './PasswordPage.module.css'
import { changePassword } from './password.queries.ts'
import { texts } from './password.texts.ts'

interface Passwords {
  current: string
  next: string
  confirmation: string
}

const nothing: Passwords = { current: '', next: '', confirmation: '' }

/** Which field a refusal is about. */
const fieldOf: Partial<Record<ErrorCode, keyof Passwords>> = {
  WRONG_PASSWORD: 'current',
  PASSWORD_TOO_SHORT: 'next',
  PASSWORD_TOO_LONG: 'next',
  PASSWORD_TOO_COMMON: 'next',
}

// As the server counts: a character outside the basic plane is one.
const isLongEnough = (password: string) =>
  [...password].length >= limits.newPasswordMin || texts.newPasswordTooShort
const isSame = (confirmation: string, { next }: Passwords) =>
  confirmation === next || texts.confirmationDiffers

const nextRules = {
  required: texts.newPasswordMissing,
  validate: isLongEnough,
  deps: 'confirmation',
} as const
const confirmationRules = { required: texts.confirmationMissing, validate: isSame }

export function PasswordPage() {
  usePageTitle(texts.tab)
  const { email } = useCredentials()
  const { register, handleSubmit, reset, setError, formState } = useForm({ defaultValues: nothing })
  const { errors, isDirty, isSubmitting } = formState
  const form = useSaveShortcut()
  useUnsavedInput(isDirty)

  const submit = handleSubmit(async ({ current, next }) => {
    try {
      await changePassword({ newPass: next, ...(current !== '' && { oldPass: current }) })
      reset()
      notify.success(texts.changed, texts.changedText)
    } catch (error) {
      if (!isCancelled(error)) refuse(error)
    }
  })
  const refuse = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : undefined
    // The login, in the place of this page, says so.
    if (code === 'UNAUTHENTICATED') return
    const field = fieldOf[code as ErrorCode]
    if (field && error instanceof ApiError) setError(field, { message: error.message }, { shouldFocus: true })
    notify.error(texts.changeError, error)
  }

  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card flush>
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isSubmitting) void submit(event)
          }}
        >
          <div className={styles.fields}>
            <KnownUsername value={email} />
            <Password
              className={styles.current}
              label={texts.currentPassword}
              autoComplete="current-password"
              description={texts.currentPasswordHint}
              error={errors.current?.message}
              {...register('current')}
            />
            <Password
              label={texts.newPassword}
              autoComplete="new-password"
              description={texts.newPasswordHint}
              error={errors.next?.message}
              {...register('next', nextRules)}
            />
            <Password
              label={texts.confirmation}
              autoComplete="new-password"
              error={errors.confirmation?.message}
              {...register('confirmation', confirmationRules)}
            />
          </div>
          <div className={styles.actions}>
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              pending={isSubmitting}
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
