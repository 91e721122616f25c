import type { TextProps } from '@pult/sdk/resource'
import { PasswordField } from '@pult/ui'
import { texts } from './token-links.texts.ts'

interface NewPasswordFieldsProps {
  password: TextProps
  confirmation: TextProps
  /** The label of the password: "Passwort". */
  label: string
}

/** The fields for a new password and its repetition. */
export function NewPasswordFields({ password, confirmation, label }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        {...password}
        description={texts.passwordTooShort}
      />
      <PasswordField
        label={texts.confirmation}
        autoComplete="new-password"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        {...confirmation}
      />
    </>
  )
}
