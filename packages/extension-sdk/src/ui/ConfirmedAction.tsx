import { Button, type ButtonVariant, ConfirmDialog } from '@pult/ui'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNotify } from '../hooks.ts'
import { isCancelled } from '../is-cancelled.ts'
import { useTexts } from '../texts.ts'

const catalogues = {
  de: { cancel: 'Cancel' },
  en: { cancel: 'Cancel' },
  'de-DE': { cancel: 'Abbrechen' },
}

export interface ConfirmedActionProps {
  label: string
  /** Says what it is about, where the label alone does not: several buttons of a list read the same. */
  accessibleLabel?: string
  variant?: ButtonVariant
  question: string
  /** What it will do. */
  text: ReactNode
  /** @default the label */
  confirmLabel?: string
  /** @default true */
  destructive?: boolean
  /** What is announced when it is done. */
  done: string
  doneText?: string
  run: () => Promise<unknown>
  onDone?: () => void
  /** Done or refused: what is on screen is read again. */
  onSettled?: () => Promise<unknown>
  /** Says why it was refused, where the message alone does not say enough. */
  renderError?: (error: Error) => ReactNode
}

/**
 * A button that asks first. The question closes before it is done, because the question of who one is may take its place;
 * it comes back with the reason when it was refused. In a section that keeps the focus ({@link keepFocus}) the button may
 * go, with its row or because it has done its work.
 *
 * @example
 * <ConfirmedAction label="Remove" question="Really remove it?" text="It will be gone." done="Removed" run={() => call(cues.remove, { params })} />
 */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { label, accessibleLabel, variant, question, text, confirmLabel = label, destructive = true } = props
  const { done, doneText, run, onDone, onSettled, renderError = ({ message }: Error) => message } = props
  const [isAsking, setAsking] = useState(false)
  const texts = useTexts(catalogues)
  const notify = useNotify()
  const { mutateAsync, isPending, error, reset } = useMutation({ mutationFn: run })

  const close = () => {
    setAsking(false)
    reset()
  }
  const confirm = async () => {
    try {
      await mutateAsync()
      close()
      notify({ title: done, text: doneText, tone: 'success' })
      onDone?.()
    } catch (refusal) {
      if (isCancelled(refusal)) close()
    }
    await onSettled?.()
  }

  const failure = error === null || isCancelled(error) ? undefined : renderError(error)
  return (
    <>
      <Button
        variant={variant}
        aria-label={accessibleLabel}
        pending={isPending}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking && !isPending}
        title={question}
        confirmLabel={confirmLabel}
        cancelLabel={texts.cancel}
        destructive={destructive}
        error={failure}
        onConfirm={() => void confirm()}
        onCancel={close}
      >
        {text}
      </ConfirmDialog>
    </>
  )
}
