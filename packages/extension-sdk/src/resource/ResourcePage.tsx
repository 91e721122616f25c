import { useLayoutEffect, useRef, useState } from 'react'
import { Navigate, Route, Routes, useMatch } from 'react-router'
import { useLive } from '../data/use-live.ts'
import { usePageTitle } from '../hooks.ts'
import { useAppPath } from '../routing.tsx'
import { ChoosePage } from './ChoosePage.tsx'
import { CreatePage } from './CreatePage.tsx'
import { completeView } from './complete-view.tsx'
import { EditPage } from './EditPage.tsx'
import { ItemsColumn } from './ItemsColumn.tsx'
import styles from './ResourcePage.module.css'
import { useResourceTexts } from './resource.texts.ts'
import { ResourceContextProvider } from './resource-context.ts'
import type { RecordItem, ResourceView } from './resource-view.ts'
import type { Values } from './typed-fields.ts'
import { useResource } from './use-resource.ts'

/**
 * Renders a resource: the list of its records, and beside it the open record. A phone shows one of the two. The open
 * record is refetched every 4 seconds and on events of the topic. Typed input stays.
 *
 * @example
 * const cueEndpoints = resource('/cues', { name: 'cue', item: cue, input: cueInput, change: cueChange })
 * function CuesPage() {
 *   return (
 *     <ResourcePage
 *       view={{
 *         endpoints: cueEndpoints,
 *         isBackend: true,
 *         path: 'cues',
 *         texts: { title: 'Cues' },
 *         labelOf: (cue: Cue) => cue.label,
 *         empty: { label: '', tags: [] as string[] },
 *         fieldLabels: { label: 'Label', tags: 'Tags' },
 *       }}
 *     />
 *   )
 * }
 */
export function ResourcePage<Item extends RecordItem, V extends Values>(props: {
  view: ResourceView<Item, V>
}) {
  // The cast is safe, because the view receives only values that it has returned itself.
  const view = completeView(props.view as unknown as ResourceView, useAppPath(), useResourceTexts())
  usePageTitle(view.texts.title)
  const calls = useResource<RecordItem>(view.endpoints, view)
  useLive(view.topic ?? null, { touches: [`/${calls.key.join('/')}`] })
  const [search, setSearch] = useState('')
  const isAtRoot = useMatch(view.path) !== null
  const list = useRef<HTMLDivElement>(null)
  const isListAtTheSide = () => list.current?.checkVisibility() === true
  return (
    <ResourceContextProvider value={{ view, calls, isListAtTheSide }}>
      <div className={styles.resource} ref={useDistanceFromTop()}>
        <div className={styles.screens} data-screen={isAtRoot ? 'list' : 'record'}>
          <div className={styles.list} ref={list}>
            <ItemsColumn view={view} calls={calls} search={search} onSearch={setSearch} />
          </div>
          <div className={styles.record}>
            <Routes>
              <Route index element={<ChoosePage />} />
              <Route path="create" element={<CreatePage />} />
              <Route path="edit/:itemId" element={<EditPage />} />
              <Route path="*" element={<Navigate to={view.path} replace />} />
            </Routes>
          </div>
        </div>
      </div>
    </ResourceContextProvider>
  )
}

/** Passes the height above the list to the styles, so that the list fills the rest of the screen. */
function useDistanceFromTop() {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    const top = current && current.getBoundingClientRect().top + scrollY
    current?.style.setProperty('--distance-from-top', `${top}px`)
  }, [])
  return element
}
