import { PasswordField } from '@pult/ui'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { texts } from './token-links.texts.ts'

interface NewPasswordFieldsProps {
  /** The registrations of the two fields with the form, and what is wrong with them. */
  password: UseFormRegisterReturn
  confirmation: UseFormRegisterReturn
  errors: { password?: { message?: string }; confirmation?: { message?: string } }
  /** What the password is called: "Passwort". */
  label: string
}

/** A new password, typed twice. */
export function NewPasswordFields({ password, confirmation, errors, label }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        description={texts.passwordTooShort}
        error={errors.password?.message}
        {...password}
      />
      <PasswordField
        label={texts.confirmation}
        autoComplete="new-password"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        error={errors.confirmation?.message}
        {...confirmation}
      />
    </>
  )
}
