import { isCancelled, useNotify } from '@pult/sdk'
import { Button, type ButtonVariant, ConfirmDialog } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useReadAgain } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'

interface ConfirmedActionProps {
  label: string
  /** Says what it is about, where the label alone does not: several buttons of a list read the same. */
  accessibleLabel?: string
  variant?: ButtonVariant
  question: string
  text: ReactNode
  confirmLabel?: string
  destructive?: boolean
  /** What is announced when it is done. */
  done: string
  doneText?: string
  run: () => Promise<unknown>
}

/** When the button goes, with its row or because it has done its work, its card has the focus that it had. */
function useFocusHandedOn() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    const card = own?.closest('section')
    return () => {
      if (document.activeElement === own) card?.focus()
    }
  }, [])
  return button
}

/**
 * A button that asks first. The question closes before it is done, because the question of who one is may take its place;
 * it comes back with the reason when it was refused.
 */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { label, accessibleLabel, variant, question, text, confirmLabel = label, destructive = true } = props
  const { done, doneText, run } = props
  const [isAsking, setAsking] = useState(false)
  const readAgain = useReadAgain()
  const notify = useNotify()
  const button = useFocusHandedOn()
  const { mutateAsync, isPending, error, reset } = useMutation({ mutationFn: run })

  const close = () => {
    setAsking(false)
    reset()
  }
  const confirm = async () => {
    try {
      await mutateAsync()
      close()
      notify({ title: done, ...(doneText !== undefined && { text: doneText }), tone: 'success' })
    } catch (refusal) {
      if (isCancelled(refusal)) close()
    }
    await readAgain()
  }

  const failure = error === null || isCancelled(error) ? undefined : error.message
  return (
    <>
      <Button
        ref={button}
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
