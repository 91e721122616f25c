import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './PasswordField.module.css'
import { TextField, type TextFieldProps } from './TextField.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix'> {
  /** The kind of password that a password manager offers. */
  autoComplete: 'current-password' | 'new-password'
  /** Label of the button that reveals the password. */
  showPasswordLabel: string
  /** Label of the button while the password is visible. */
  hidePasswordLabel: string
}

/**
 * Renders a password field with a button that reveals the password. The `<input>` element stays the same and is masked
 * again on submit, so that password managers and browsers recognise it. Caret and focus stay in place.
 */
export function PasswordField({ showPasswordLabel, hidePasswordLabel, ref, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const selection = useRef<[start: number | null, end: number | null]>(null)

  useEffect(() => {
    const form = input.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])

  // Changing the type moves the caret to the start.
  useLayoutEffect(() => {
    if (selection.current) input.current?.setSelectionRange(...selection.current)
    selection.current = null
  }, [shown])

  const toggle = () => {
    if (input.current) selection.current = [input.current.selectionStart, input.current.selectionEnd]
    setShown(!shown)
  }
  const attach = (element: HTMLInputElement | null) => {
    input.current = element
    if (typeof ref === 'function') return ref(element)
    if (ref) ref.current = element
  }

  return (
    <TextField
      {...rest}
      ref={attach}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      suffix={
        <button
          type="button"
          className={styles.toggle}
          aria-label={shown ? hidePasswordLabel : showPasswordLabel}
          disabled={rest.disabled}
          onPointerDown={keepFocus}
          onClick={toggle}
        >
          {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </button>
      }
    />
  )
}

// Otherwise a press on the button would close the on-screen keyboard.
function keepFocus(event: PointerEvent) {
  event.preventDefault()
}
