import { useEffect, useRef } from 'react'
import { useAppHost } from '../host.ts'
import { useHotkey } from '../use-hotkey.ts'
import type { PageAction } from './action.ts'

/**
 * Adds an action to the command palette while the calling component is mounted, for users who hold its role. Its
 * shortcut works on the page of the component, or while the component's window has the focus.
 *
 * @example useAction({ id: 'refill', label: 'Refill all cues', keywords: ['reset'], run: refillAll })
 */
export function useAction(action: PageAction): void {
  const { offerAction, notify, hasRole, app } = useAppHost()
  const { id, label, icon = app.icon, shortcut, role } = action
  const keywords = action.keywords?.join(' ') ?? ''
  const isAllowed = role === undefined || hasRole(role)
  const latest = useRef(action.run)
  useEffect(() => {
    latest.current = action.run
  })
  const run = useRef(async () => {
    try {
      await latest.current()
    } catch (error) {
      notify({ title: label, error })
    }
  })

  useEffect(() => {
    if (!isAllowed) return
    return offerAction({
      id: `${app.id} ${id}`,
      label,
      icon,
      keywords: keywords.split(' '),
      group: app.label,
      run: () => run.current(),
      ...(shortcut !== undefined && { shortcut }),
    })
  }, [offerAction, isAllowed, app, id, label, icon, keywords, shortcut])
  useHotkey(shortcut ?? '', () => void run.current(), {
    label,
    isEnabled: isAllowed && shortcut !== undefined,
  })
}
