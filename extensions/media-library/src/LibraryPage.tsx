import { AskForAccess, useFileUpload, useNotify, usePageQuery, useProject, useRole } from '@pult/sdk'
import { firstCharacters, limits, type MediaItem, type MediaKind, type MediaSort } from '@pult/sdk/api'
import { ListFrame, useListView, useSelection } from '@pult/sdk/resource'
import {
  ColumnChoice,
  EmptyState,
  FilterChips,
  ListSearch,
  SelectField,
  Skeleton,
  UploadStatus,
} from '@pult/sdk/ui'
import Images from 'lucide-react/icons/images'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { accepted } from './accepted.ts'
import { DropArea } from './DropArea.tsx'
import styles from './library.module.css'
import { MediaGrid } from './MediaGrid.tsx'
import { MediaSelection } from './MediaSelection.tsx'
import { MediaTable, mediaColumns } from './MediaTable.tsx'
import { useAddMedium, useDeleteMedia, useMediaList, useRestoreMedia } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { TagFilter } from './TagFilter.tsx'
import { UploadButton, UploadField } from './UploadButton.tsx'
import { ViewToggle } from './ViewToggle.tsx'

/** Keywords before a colon in the search. */
const keys = ['tag', 'type', 'mime', 'label']
const kinds = ['image', 'video', 'audio', 'failed'] as const satisfies MediaKind[]
const sorts: MediaSort[] = ['-created', 'created', 'label', '-label']

/** All media of the project: search, view, selection and upload. */
export function LibraryPage() {
  const { _id: projectId } = useProject()
  const mayEdit = useRole('media-library:edit')
  const [{ view = 'grid' }, changeQuery] = usePageQuery()
  const shown = useListView({ sorts, usualSort: '-created', filters: { kind: kinds, tags: 'text' } })
  const { search, sort } = shown
  const { kind, tags } = shown.filters
  const chosenTags = tags === null ? [] : tags.split('\n')
  const text = searchOf(search, chosenTags)
  const list = useMediaList({ sort, search: text, kind: kind ?? undefined })
  const counts = list.answer?.counts
  const isMixed = kind !== null || kinds.filter((one) => (counts?.[one] ?? 0) > 0).length > 1
  const selection = useSelection(list, shown.isFiltered)
  const { mutate, isPending: isDeleting } = useDeleteMedia()
  const restore = useRestoreMedia()
  const notify = useNotify()
  const results = useRef<HTMLDivElement>(null)
  const moveFocusOn = useFocusAfterRemoval(list.items, results)
  const remove = (items: readonly MediaItem[]) => {
    moveFocusOn(items)
    mutate(items, {
      onSuccess: ({ done, gone, error }) => {
        if (done.length > 0)
          notify({
            title: texts.deleted(done.length),
            text: texts.labels(done.map(({ label }) => label)),
            tone: 'success',
            undo: () => restore(done),
          })
        if (error !== undefined) notify({ title: texts.deletingFailed, error })
        // What was not deleted stays selected.
        const left = new Set(selection.ids)
        for (const { _id } of [...done, ...gone]) left.delete(_id)
        selection.set(left)
      },
    })
  }
  const add = useAddMedium()
  const upload = useFileUpload({
    accept: accepted,
    multiple: true,
    project: projectId,
    onUploaded: ({ filename }) => add(filename),
  })

  const field = useRef<HTMLInputElement>(null)
  const enterResults = () =>
    results.current?.querySelector<HTMLElement>('a[tabindex="0"], [role=row][tabindex="0"]')?.focus()
  const isList = view === 'list'

  return (
    <DropArea disabled={!mayEdit} onDrop={upload.start}>
      {mayEdit && <UploadField ref={field} onFiles={upload.start} />}
      <ListFrame
        list={list}
        isFiltered={shown.isFiltered}
        onClear={shown.clear}
        notUnderstood={shown.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.pages, count: texts.count }}
        isBare={!isList}
        empty={
          <EmptyState
            icon={<Images aria-hidden="true" />}
            title={texts.empty}
            text={mayEdit ? texts.emptyText : texts.emptyReader}
            action={
              mayEdit ? (
                <UploadButton field={field} />
              ) : (
                <AskForAccess needs="media-library:edit" subject={texts.addingMedia} />
              )
            }
          />
        }
        search={
          <ListSearch
            label={texts.search}
            keys={keys}
            value={shown.typed}
            onChange={shown.setTyped}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              enterResults()
            }}
          />
        }
        filters={
          isMixed && (
            <FilterChips
              label={texts.type}
              value={kind}
              onChange={(next) => shown.setFilters({ kind: next })}
              chips={kinds.map((value) => ({
                value,
                label: texts.kinds[value],
                count: counts?.[value] ?? 0,
                isCapped: counts?.isCapped,
                ...(value === 'failed' && { status: 'warning' }),
              }))}
            />
          )
        }
        columnChoice={
          isList && (
            <ColumnChoice
              label={texts.columns}
              columns={mediaColumns}
              settings={shown.settings}
              onSettingsChange={shown.setSettings}
            />
          )
        }
        tools={
          <>
            {!isList && (
              <SelectField
                label={texts.sort}
                hideLabel
                className={styles.sort}
                value={sort}
                onChange={({ target }) => shown.setSort(target.value as MediaSort)}
              >
                {sorts.map((one) => (
                  <option key={one} value={one}>
                    {texts.sorts[one]}
                  </option>
                ))}
              </SelectField>
            )}
            <ViewToggle view={view} onChange={(next) => changeQuery({ view: next === 'grid' ? '' : next })} />
            {mayEdit && <UploadButton field={field} />}
          </>
        }
        above={
          <>
            <TagFilter chosen={chosenTags} onChange={(next) => shown.setFilters({ tags: next.join('\n') })} />
            <UploadStatus upload={upload} />
          </>
        }
      >
        <div
          ref={results}
          className={styles.results}
          tabIndex={-1}
          data-waiting={list.isWaiting || undefined}
        >
          {isList ? (
            <MediaTable
              items={list.items}
              selection={mayEdit ? selection : null}
              settings={shown.settings}
              onSettingsChange={shown.setSettings}
            />
          ) : list.items === undefined ? (
            <AwaitedTiles />
          ) : (
            <MediaGrid items={list.items} selection={mayEdit ? selection : null} onDelete={remove} />
          )}
        </div>
      </ListFrame>
      {mayEdit && selection.items.length > 0 && (
        <MediaSelection
          selection={selection}
          isDeleting={isDeleting}
          onDelete={() => remove(selection.items)}
        />
      )}
    </DropArea>
  )
}

/** Placeholder tiles while the media load. */
function AwaitedTiles() {
  return (
    <div className={styles.grid} role="status" aria-label={texts.media} aria-busy="true" data-awaited="">
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height="150px" />
      ))}
    </div>
  )
}

/**
 * Moves the focus to the medium after the deleted ones, or to the list if no medium remains. Returns a function that
 * announces a deletion.
 */
function useFocusAfterRemoval(
  items: readonly MediaItem[] | undefined,
  results: RefObject<HTMLElement | null>,
): (removed: readonly MediaItem[]) => void {
  const awaited = useRef<{ ids: ReadonlySet<string>; place: number } | null>(null)
  useLayoutEffect(() => {
    const { current } = awaited
    if (current === null || items === undefined || items.some(({ _id }) => current.ids.has(_id))) return
    awaited.current = null
    // Without the focused tile, the focus is at the body, or at the list if the tile was removed before others.
    if (!document.activeElement?.contains(results.current)) return
    const entries = results.current?.querySelectorAll<HTMLElement>('[data-tile], [role=rowheader] a') ?? []
    const next = entries[Math.min(current.place, entries.length - 1)] ?? results.current
    next?.focus()
  }, [items, results])
  return (removed) => {
    const ids = new Set(removed.map(({ _id }) => _id))
    const place = items?.findIndex(({ _id }) => ids.has(_id)) ?? 0
    awaited.current = { ids, place: Math.max(0, place) }
  }
}

/** Returns the server's search: one term for each tag, and as much of the text as the limit allows. */
const searchOf = (search: string, tags: readonly string[]) =>
  firstCharacters(
    [...tags.map((tag) => `tag:"${tag.replaceAll('"', '')}"`), search]
      .filter((part) => part !== '')
      .join(' '),
    limits.searchMax,
  )
