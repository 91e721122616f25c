import { useHotkey } from '@pult/sdk'
import { ButtonLink } from '@pult/ui'
import type { ReactNode } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { goTo } from '#platform/go-to.ts'
import { letterKeys } from '#platform/letter-keys.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './HomeHead.module.css'

interface AddEdgeProps {
  icon?: ReactNode
  /** The data has not loaded, so the link is invisible and only reserves its space. */
  isHeld?: boolean
}

const label = texts.home.addEdge
const href = '/app/edges/create'

/** The link to the enrolment of an edge. The shortcut E opens it, too. */
export function AddEdge({ icon, isHeld = false }: AddEdgeProps) {
  const hasKey = useStore(letterKeys) === 'on'
  useHotkey('e', () => goTo(href), { label, isEnabled: !isHeld })
  return (
    <ButtonLink
      variant="primary"
      className={styles.action}
      href={href}
      icon={icon}
      shortcut={hasKey ? 'E' : undefined}
      data-held={isHeld ? '' : undefined}
    >
      {label}
    </ButtonLink>
  )
}
