import { type PageActionsProps, type PageCardsProps, type PageTabsProps, useAppHost } from './host.ts'

/**
 * Shows the content of a page and the tabs that apps add to such pages. The open tab is in the address: `?tab=`.
 *
 * @example <PageTabs page="edge" id={edge._id} label="Overview"><EdgeCards edge={edge} /></PageTabs>
 */
export function PageTabs(props: PageTabsProps) {
  const { PageTabs: Drawn } = useAppHost()
  return <Drawn {...props} />
}

/**
 * Shows the cards that apps add to a page. Renders nothing without such cards.
 *
 * @example <PageCards place="edge" id={edge._id} />
 */
export function PageCards(props: PageCardsProps) {
  const { PageCards: Drawn } = useAppHost()
  return <Drawn {...props} />
}

/**
 * Shows a menu of the actions that other apps offer for a record. Renders nothing without such actions.
 *
 * @example <PageActions kind="edge" record={{ id: edge._id, label: edge.label }} />
 */
export function PageActions(props: PageActionsProps) {
  const { PageActions: Drawn } = useAppHost()
  return <Drawn {...props} />
}
