import type { ComponentProps, MouseEvent } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'

export interface AnchorProps extends ComponentProps<'a'> {
  href: string
  /** Opens in a new tab and tells the target nothing about us. */
  external?: boolean | undefined
}

/** The attributes of an `<a>` that goes through the router of the nearest `UiProvider` where that is possible. */
export function useAnchor({ external = false, onClick, ...rest }: AnchorProps): ComponentProps<'a'> {
  const { navigate } = useUiEnvironment()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!navigate || !staysInDocument(event)) return
    event.preventDefault()
    const { pathname, search, hash } = event.currentTarget
    navigate(pathname + search + hash)
  }
  return { ...(external && { target: '_blank', rel: 'noreferrer' }), ...rest, onClick: follow }
}

// What the browser would open in this very tab, and what is ours to open.
function staysInDocument(event: MouseEvent<HTMLAnchorElement>): boolean {
  const link = event.currentTarget
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return (
    !event.defaultPrevented &&
    event.button === 0 &&
    !modified &&
    link.origin === window.location.origin &&
    (link.target === '' || link.target === '_self') &&
    !link.hasAttribute('download')
  )
}
