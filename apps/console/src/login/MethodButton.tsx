import { Spinner } from '@pult/ui'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './Proof.module.css'

interface MethodButtonProps {
  ref?: Ref<HTMLButtonElement>
  icon: ReactNode
  children: string
  pending?: boolean
  /** Why this method is unavailable. The button stays focusable and shows the reason. */
  obstacle?: string | null
  onClick: () => void
}

export function MethodButton({
  ref,
  icon,
  children,
  pending = false,
  obstacle = null,
  onClick,
}: MethodButtonProps) {
  const obstacleId = useId()
  const isIdle = obstacle === null && !pending
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.method}
        aria-disabled={isIdle ? undefined : true}
        aria-describedby={obstacle === null ? undefined : obstacleId}
        onClick={isIdle ? onClick : undefined}
      >
        {icon}
        {children}
        {pending && <Spinner />}
        {isIdle && <ChevronRight aria-hidden="true" />}
      </button>
      {obstacle !== null && (
        <p id={obstacleId} className={styles.obstacle}>
          {obstacle}
        </p>
      )}
    </>
  )
}
