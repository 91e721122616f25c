import { useRef, useState } from 'react'
import { Outlet, useMatch } from 'react-router'
import { usePageTitle } from '../page-title.ts'
import { ItemsColumn } from './ItemsColumn.tsx'
import styles from './ResourcePage.module.css'
import type { ResourceContext } from './resource-context.ts'
import type { RecordItem, ResourceView } from './resource-view.ts'
import type { Values } from './typed-fields.ts'
import { useLiveQueries } from './use-live-queries.ts'
import { useResource } from './use-resource.ts'

/** The root of a resource: its records at the side, and beside them the one that is open. On a phone one or the other. */
export function ResourcePage<Item extends RecordItem, V extends Values>(props: {
  view: ResourceView<Item, V>
}) {
  // From here on nobody needs to know what the records are: what the view takes is what it has answered itself.
  const view = props.view as unknown as ResourceView
  usePageTitle(view.texts.title)
  const calls = useResource(view.endpoints, view.params, view.idOf)
  useLiveQueries(view.topic, calls.key)
  const [search, setSearch] = useState('')
  const isAtRoot = useMatch(view.path) !== null
  const list = useRef<HTMLDivElement>(null)
  const isListAtTheSide = () => list.current?.checkVisibility() === true
  return (
    <div className={styles.resource}>
      <div className={styles.screens} data-screen={isAtRoot ? 'list' : 'record'}>
        <div className={styles.list} ref={list}>
          <ItemsColumn view={view} calls={calls} search={search} onSearch={setSearch} isAtRoot={isAtRoot} />
        </div>
        <div className={styles.record}>
          <Outlet context={{ view, calls, isListAtTheSide } satisfies ResourceContext} />
        </div>
      </div>
    </div>
  )
}
