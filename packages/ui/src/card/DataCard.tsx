import '../styles/desk.css'
import Lock from 'lucide-react/icons/lock'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Unplug from 'lucide-react/icons/unplug'
import Users from 'lucide-react/icons/users'
import WifiOff from 'lucide-react/icons/wifi-off'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../button/Button.tsx'
import { classNames } from '../class-names.ts'
import type { Tint } from '../color/tint.ts'
import { LockNote } from '../feedback/LockNote.tsx'
import styles from './DataCard.module.css'

interface Explanation {
  title: ReactNode
  text?: ReactNode
  /** A button or link. */
  action?: ReactNode
  icon?: ReactNode
}

/** State of a card, shown in place of its content or around it. */
export type DataCardState =
  | { kind: 'filled' }
  /** The skeleton has the geometry of the content. It appears after 200 ms and stays for at least 300 ms. */
  | { kind: 'loading'; skeleton: ReactNode }
  /** Set a tint only if the user may add records. */
  | ({ kind: 'empty'; tint?: Tint | undefined } & Explanation)
  | ({ kind: 'denied' } & Explanation)
  /** Only this card failed to load. `retryText` announces the next automatic attempt. */
  | {
      kind: 'failed'
      title: ReactNode
      text?: ReactNode
      onRetry: () => void
      retryLabel: ReactNode
      retryText?: ReactNode
    }
  /** The last content, faded. `asOf` is its time (`as of 14:31`), `text` the next attempt to reconnect. */
  | { kind: 'stale'; asOf: ReactNode; text?: ReactNode }
  /** `text` names the role that may change the content. Show plain text, not disabled fields. */
  | { kind: 'read-only'; text: ReactNode }
  /**
   * Two users changed the record. `text` names the other user and the time; `action` holds the buttons that choose a
   * version.
   */
  | { kind: 'conflict'; text: ReactNode; action: ReactNode }

export interface DataCardProps {
  title: ReactNode
  /** A quiet note beside the title: "24 edges". */
  detail?: ReactNode
  /** At the end of the header: a state, a number. */
  meta?: ReactNode
  /** At the end of the header: a link or a small control. */
  action?: ReactNode
  /** Before the title, such as an AppTile. */
  icon?: ReactNode
  /** Content runs to the edge, for lists and tables. */
  flush?: boolean | undefined
  state?: DataCardState | undefined
  /** The heading's level within the page; 2 by default. */
  level?: 2 | 3 | undefined
  className?: string | undefined
  /** Buttons and links at the end of a filled card. */
  foot?: ReactNode
  children?: ReactNode
}

const filled: DataCardState = { kind: 'filled' }

/** Renders a card of data in one of its states. The header stays in place in every state; cards never contain cards. */
export function DataCard({
  title,
  detail,
  meta,
  action,
  icon,
  flush = false,
  state: given = filled,
  level = 2,
  className,
  foot,
  children,
}: DataCardProps) {
  const Heading = `h${level}` as const
  const headingId = useId()
  const state = useShownState(given)
  return (
    <section
      className={classNames(styles.card, className)}
      aria-labelledby={headingId}
      aria-busy={state.kind === 'loading' || undefined}
      data-flush={flush || undefined}
      data-state={state.kind}
      data-awaited={state.kind === 'loading' ? '' : undefined}
    >
      <header className={styles.header}>
        {icon}
        <Heading id={headingId} className={styles.title}>
          {title}
        </Heading>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
        <span className={styles.end}>
          <Mark state={state} />
          {meta}
          {action}
        </span>
      </header>
      <Body state={state}>{children}</Body>
      {foot !== undefined && state.kind === 'filled' && <footer className={styles.footer}>{foot}</footer>}
    </section>
  )
}

/** The state in the header. */
function Mark({ state }: { state: DataCardState }) {
  if (state.kind === 'stale') {
    return (
      <span className={styles.mark} data-tone="warning">
        <WifiOff aria-hidden="true" />
        {state.asOf}
      </span>
    )
  }
  if (state.kind === 'conflict') {
    return (
      <span className={styles.mark} data-tone="info">
        <Users aria-hidden="true" />
        {state.text}
      </span>
    )
  }
  if (state.kind === 'read-only') return <LockNote>{state.text}</LockNote>
  return null
}

function Body({ state, children }: { state: DataCardState; children: ReactNode }) {
  switch (state.kind) {
    case 'loading':
      return <div className={classNames(styles.body, styles.skeleton)}>{state.skeleton}</div>
    case 'empty':
    case 'denied':
      return (
        <Explained
          {...state}
          icon={state.icon ?? (state.kind === 'denied' ? <Lock /> : undefined)}
          tint={state.kind === 'empty' ? (state.tint ?? 'slate') : 'slate'}
        />
      )
    case 'failed':
      return (
        <Explained
          title={state.title}
          text={state.text}
          icon={<Unplug />}
          tint="red"
          action={
            <>
              <Button icon={<RotateCw />} onClick={state.onRetry}>
                {state.retryLabel}
              </Button>
              {state.retryText !== undefined && <span className={styles.note}>{state.retryText}</span>}
            </>
          }
        />
      )
    case 'stale':
      return (
        <>
          <div className={classNames(styles.body, styles.faded)}>{children}</div>
          {state.text !== undefined && <p className={styles.foot}>{state.text}</p>}
        </>
      )
    case 'conflict':
      return (
        <>
          <div className={styles.body}>{children}</div>
          <div className={styles.actions}>{state.action}</div>
        </>
      )
    case 'filled':
    case 'read-only':
      return <div className={styles.body}>{children}</div>
  }
}

function Explained({ icon, tint, title, text, action }: Explanation & { tint: Tint }) {
  return (
    <div className={styles.explained}>
      {icon !== undefined && (
        <span className={styles.icon} data-tint={tint} aria-hidden="true">
          {icon}
        </span>
      )}
      <strong className={styles.subject}>{title}</strong>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action !== undefined && <div className={styles.cure}>{action}</div>}
    </div>
  )
}

/** Milliseconds until CSS shows the skeleton (--duration-patience). */
const patience = 200
/** Minimum time in milliseconds for which a shown skeleton stays. */
const shownAtLeast = 300

/** Keeps a skeleton that has just appeared, so that it does not flash. */
function useShownState(state: DataCardState): DataCardState {
  const [held, setHeld] = useState<DataCardState>()
  const isLoading = state.kind === 'loading'
  const latest = useRef(state)
  useLayoutEffect(() => {
    if (isLoading) latest.current = state
  })
  useLayoutEffect(() => {
    if (!isLoading) return
    const started = performance.now()
    return () => {
      const rest = patience + shownAtLeast - (performance.now() - started)
      if (rest <= 0 || rest >= shownAtLeast) return
      setHeld(latest.current)
      setTimeout(() => setHeld(undefined), rest)
    }
  }, [isLoading])
  return isLoading ? state : (held ?? state)
}
