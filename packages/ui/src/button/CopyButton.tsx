import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useEffect, useState } from 'react'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { copyText } from './copy-text.ts'

export interface CopyButtonProps {
  /** The text to copy. */
  text: string
  /** The button's label ("Copy"). */
  children: ReactNode
  /** Replaces the label briefly after copying, and is announced. */
  copiedLabel: string
  /** Replaces the label briefly if the browser refuses to copy, and is announced. */
  failedLabel: string
  variant?: ButtonProps['variant']
}

const shownFor = 2500

/** Copies a text to the clipboard and confirms it in its label. */
export function CopyButton({ text, children, copiedLabel, failedLabel, variant }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), shownFor)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed')
  const message = outcome === 'copied' ? copiedLabel : failedLabel
  return (
    <>
      <Button variant={variant} icon={<OutcomeIcon outcome={outcome} />} onClick={() => void copy()}>
        {outcome === null ? children : message}
      </Button>
      <VisuallyHidden role="status">{outcome !== null && message}</VisuallyHidden>
    </>
  )
}

function OutcomeIcon({ outcome }: { outcome: 'copied' | 'failed' | null }) {
  const Icon = outcome === null ? Copy : outcome === 'copied' ? Check : TriangleAlert
  return <Icon aria-hidden="true" />
}
