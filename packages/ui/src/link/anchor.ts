import type { ComponentProps, MouseEvent } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'

export interface AnchorProps extends ComponentProps<'a'> {
  href: string
  /** Opens in a new tab without a referrer. */
  external?: boolean | undefined
}

/** Returns the attributes of an `<a>` that uses the router of the nearest `UiProvider` where possible. */
export function useAnchor({ external = false, href, onClick, ...rest }: AnchorProps): ComponentProps<'a'> {
  const { navigate, addressOf = asItIs } = useUiEnvironment()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!navigate || !staysInDocument(event)) return
    event.preventDefault()
    const { pathname, search, hash } = event.currentTarget
    navigate(pathname + search + hash)
  }
  const target = external && { target: '_blank', rel: 'noreferrer' }
  return { ...target, ...rest, href: addressOf(href), onClick: follow }
}

const asItIs = (href: string) => href

// The router handles only clicks that the browser would open in this tab.
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
