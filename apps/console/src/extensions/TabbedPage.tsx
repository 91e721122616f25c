import type { PageTabsProps } from '@pult/sdk'
import { Alert, Tabs } from '@pult/ui'
import { useSearchParams } from 'react-router'
import { texts } from './extensions.texts.ts'
import { GuestTab } from './GuestTab.tsx'
import type { PageTab } from './page-tabs.ts'

const own = 'own'

/** The tabs of a page. The open one is in the address: `?tab={app}/{tab}`. */
export function TabbedPage({ id, label, tabs, children }: PageTabsProps & { tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams()
  const openKey = search.get('tab')
  const open = tabs.find(({ key }) => key === openKey)
  const select = (key: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (key === own) next.delete('tab')
        else next.set('tab', key)
        return next
      },
      { replace: true },
    )
  return (
    <Tabs
      label={texts.tabs(label)}
      items={[{ id: own, title: label }, ...tabs.map(({ key, tab }) => ({ id: key, title: tab.label }))]}
      selected={open?.key ?? own}
      onSelect={select}
    >
      {openKey !== null && open === undefined && <Alert tone="warning" title={texts.noTab} />}
      {open === undefined ? children : <GuestTab key={open.key} app={open.app} tab={open.tab} id={id} />}
    </Tabs>
  )
}
