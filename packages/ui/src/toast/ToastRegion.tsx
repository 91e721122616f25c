import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import {
  UNSTABLE_ToastRegion as AriaToastRegion,
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
} from 'react-aria-components/Toast'
import { ToneIcon } from '../feedback/ToneIcon.tsx'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import styles from './ToastRegion.module.css'
import type { Toaster } from './toaster.ts'

export interface ToastRegionProps {
  toaster: Toaster
  /** Accessible name of the landmark ("Notifications"), which F6 reaches. */
  label: string
  closeLabel: string
}

/**
 * Shows a {@link Toaster}'s messages above windows and dialogs. They are announced as alerts, stay while the page is
 * hidden or one of them is hovered or focused, and restore the focus when they disappear. Render it once, anywhere.
 */
export function ToastRegion({ toaster, label, closeLabel }: ToastRegionProps) {
  const region = useRef<HTMLDivElement>(null)
  const { queue } = toaster
  useEffect(() => {
    const follow = () => {
      if (document.hidden) queue.pauseAll()
      else if (region.current?.matches(':hover, :focus-within') === false) queue.resumeAll()
    }
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [queue])
  return (
    <AriaEnvironment>
      <AriaToastRegion ref={region} className={styles.region ?? ''} queue={queue} aria-label={label}>
        {({ toast }) => (
          <Toast className={styles.toast ?? ''} toast={toast} data-tone={toast.content.tone}>
            <ToneIcon tone={toast.content.tone} className={styles.icon} />
            <ToastContent className={styles.content ?? ''}>
              <Text slot="title" className={styles.title ?? ''}>
                {toast.content.title}
              </Text>
              {toast.content.text !== undefined && (
                <Text slot="description" className={styles.text ?? ''}>
                  {toast.content.text}
                </Text>
              )}
            </ToastContent>
            {toast.content.action && (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  toaster.close(toast.key)
                  toast.content.action?.onAction()
                }}
              >
                {toast.content.action.label}
              </button>
            )}
            <Button slot="close" className={styles.close ?? ''} aria-label={closeLabel}>
              <X aria-hidden="true" />
            </Button>
          </Toast>
        )}
      </AriaToastRegion>
    </AriaEnvironment>
  )
}
