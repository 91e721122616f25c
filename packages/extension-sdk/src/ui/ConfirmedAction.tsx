import { Button, type ButtonVariant, ConfirmDialog } from '@pult/ui'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNotify } from '../hooks.ts'
import { isCancelled } from '../is-cancelled.ts'
import { useTexts } from '../texts.ts'

const catalogues = {
  de: { cancel: 'Cancel' },
  'de-DE': { cancel: 'Abbrechen' },
}

export interface ConfirmedActionProps {
  label: string
  /** Accessible name, for lists with several buttons of the same label. */
  accessibleLabel?: string
  variant?: ButtonVariant
  question: string
  /** The consequences of the action. */
  text: ReactNode
  /** @default the label */
  confirmLabel?: string
  /** @default true */
  destructive?: boolean
  /** Title of the notification after success. */
  done: string
  doneText?: string
  run: () => Promise<unknown>
  onDone?: () => void
  /** Called after success or failure, for example to refetch the page's data. */
  onSettled?: () => Promise<unknown>
  /** Returns a text for the error; by default its message. */
  renderError?: (error: Error) => ReactNode
}

/**
 * Renders a button that asks for confirmation. The question closes before the action runs, because step-up
 * authentication may need its place. After a rejection it reopens with the error. In a section with {@link keepFocus}
 * the button may disappear with its row.
 *
 * @example
 * <ConfirmedAction label="Remove" question="Remove this cue?" text="It is deleted for everyone." done="Removed"
 * run={() => call(cues.remove, { params })} />
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
