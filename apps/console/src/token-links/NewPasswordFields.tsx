import type { TextProps } from '@pult/sdk/resource'
import { PasswordField } from '@pult/ui'
import { PasswordStrength } from './PasswordStrength.tsx'
import { texts } from './token-links.texts.ts'

interface NewPasswordFieldsProps {
  password: TextProps
  confirmation: TextProps
  /** The label of the password: "Passwort". */
  label: string
  /** The user's names and address. Their words weaken a password. */
  ownWords: readonly string[]
  autoFocus?: boolean
}

/** The fields for a new password and its repetition. */
export function NewPasswordFields({
  password,
  confirmation,
  label,
  ownWords,
  autoFocus,
}: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoFocus={autoFocus}
        autoComplete="new-password"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        {...password}
        description={
          <PasswordStrength
            password={password.value}
            ownWords={ownWords}
            words={{ passwordRule: texts.passwordTooShort, strength: texts.strength }}
          />
        }
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
