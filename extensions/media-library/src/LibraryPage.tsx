import { useFileUpload, usePageQuery, useProject, useRole } from '@pult/sdk'
import { limits } from '@pult/sdk/api'
import { useTypedValue, Waiting } from '@pult/sdk/resource'
import { Button, Card, EmptyState, ListSearch, Pager } from '@pult/sdk/ui'
import Images from 'lucide-react/icons/images'
import SearchX from 'lucide-react/icons/search-x'
import { useRef, useState } from 'react'
import { accepted } from './accepted.ts'
import { DropArea } from './DropArea.tsx'
import styles from './library.module.css'
import { MediaGrid } from './MediaGrid.tsx'
import { MediaTable } from './MediaTable.tsx'
import { useAddMedium, useMediaList } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { TagFilter } from './TagFilter.tsx'
import { UploadButton } from './UploadButton.tsx'
import { UploadStatus } from './UploadStatus.tsx'
import { useSelection } from './use-selection.ts'
import { ViewToggle } from './ViewToggle.tsx'

/** What may stand before a colon in the search. */
const keys = ['tag', 'type', 'mime', 'label']

/** All media of the project: found, looked at, chosen, added. */
export function LibraryPage() {
  const { _id: projectId } = useProject()
  const mayEdit = useRole('media-library:edit')
  const [{ search = '', tags = '', view = 'grid' }, changeQuery] = usePageQuery()
  const [typed, setTyped] = useTypedValue(search, (next) => changeQuery({ search: next }))
  const chosenTags = tags === '' ? [] : tags.split('\n')
  const list = useMediaList(searchOf(search, chosenTags))
  const selection = useSelection(list.items)
  const [isDeleting, setDeleting] = useState(false)
  const results = useRef<HTMLDivElement>(null)
  const add = useAddMedium()
  const upload = useFileUpload({
    accept: accepted,
    multiple: true,
    project: projectId,
    onUploaded: ({ filename }) => add(filename),
  })

  const isFiltered = search !== '' || chosenTags.length > 0
  const showAll = () => {
    setTyped('')
    changeQuery({ search: '', tags: '' })
  }
  const enterResults = () => results.current?.querySelector<HTMLElement>('a[tabindex="0"], tbody a')?.focus()

  return (
    <DropArea disabled={!mayEdit} onDrop={upload.start}>
      <div className={styles.toolbar}>
        <div className={styles.search}>
          <ListSearch
            label={texts.search}
            keys={keys}
            value={typed}
            onChange={setTyped}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              enterResults()
            }}
          />
        </div>
        <div className={styles.tools}>
          <ViewToggle view={view} onChange={(next) => changeQuery({ view: next === 'grid' ? '' : next })} />
          {mayEdit && <UploadButton onFiles={upload.start} />}
        </div>
      </div>
      <TagFilter chosen={chosenTags} onChange={(next) => changeQuery({ tags: next.join('\n') })} />
      <UploadStatus upload={upload} />
      {mayEdit && selection.items.length > 0 && (
        <SelectionBar selection={selection} isDeleting={isDeleting} setDeleting={setDeleting} />
      )}
      <div ref={results} className={styles.results} data-waiting={list.isWaiting || undefined}>
        {list.items === undefined ? (
          <Card flush>
            <Waiting failed={texts.loadingFailed} error={list.error} onRetry={list.retry} />
          </Card>
        ) : list.items.length > 0 ? (
          <>
            {view === 'list' ? (
              <MediaTable items={list.items} selection={mayEdit ? selection : null} />
            ) : (
              <MediaGrid
                items={list.items}
                selection={mayEdit ? selection : null}
                onDelete={() => setDeleting(true)}
              />
            )}
            <Pager list={list} label={texts.pages} count={texts.count} />
          </>
        ) : (
          <Card>
            {isFiltered ? (
              <EmptyState
                icon={<SearchX aria-hidden="true" />}
                title={texts.nothingFound}
                text={texts.nothingFoundText}
                action={<Button onClick={showAll}>{texts.clearSearch}</Button>}
              />
            ) : (
              <EmptyState
                icon={<Images aria-hidden="true" />}
                title={texts.empty}
                text={mayEdit ? texts.emptyText : texts.emptyReader}
              />
            )}
          </Card>
        )}
      </div>
    </DropArea>
  )
}

/** What is asked of the server: a term for each tag, and as much of the words as it accepts beside them. */
const searchOf = (search: string, tags: readonly string[]) =>
  [...tags.map((tag) => `tag:"${tag.replaceAll('"', '')}"`), search]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, limits.searchMax)
