import { AskForAccess, useAppNavigate, useNotify, useRole, useRun } from '@pult/sdk'
import { type Edge, type EdgeSort, edgeEndpoints, limits } from '@pult/sdk/api'
import { ListFrame, useListView, useSelection } from '@pult/sdk/resource'
import {
  Button,
  ColumnChoice,
  DataTable,
  type DataTableColumn,
  EmptyState,
  FilterChips,
  keepFocus,
  ListSearch,
  SelectionBar,
} from '@pult/sdk/ui'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Stethoscope from 'lucide-react/icons/stethoscope'
import Tag from 'lucide-react/icons/tag'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { CommandDialog } from './CommandDialog.tsx'
import { Courses } from './Courses.tsx'
import { EdgeMenu, type EdgeMenuActions } from './EdgeMenu.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import { decksColumn, edgeColumns, NarrowEdge, placeColumn, tagsColumn } from './edge-columns.tsx'
import styles from './edges.module.css'
import { type EdgeListQuery, useAllEdges, useEdgeGroups, useEdgeList } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { ChosenFilters, FilterButton, type FleetFilter, ruleOf } from './FleetFilters.tsx'
import { filterStates, isConnected, statusOf } from './fleet-state.ts'
import { GroupChoice } from './GroupChoice.tsx'
import { JobTools, RunJobForEdges } from './jobs/RunJob.tsx'
import { JoinRequests } from './joining/JoinRequests.tsx'
import { TagDialog } from './TagDialog.tsx'
import { UpdatesDialog } from './UpdatesDialog.tsx'
import { useEdgeCommands } from './use-edge-commands.tsx'
import { useNewCode } from './use-new-code.ts'
import { ValuesSize } from './ValuesSize.tsx'

/** The address of the enrolment: the list with its dialog open. */
export function EnrolPage() {
  const navigate = useAppNavigate()
  return <EdgesPage isEnrolling onEnrolled={() => navigate('', { replace: true })} />
}

interface EdgesPageProps {
  isEnrolling?: boolean
  onEnrolled?: () => void
}

const columnsThatSort = ['label', 'place', 'state', 'load', 'memory', 'disk', 'version', 'seen'] as const
const sorts = columnsThatSort.flatMap((column): EdgeSort[] => [column, `-${column}`])

const isId = (text: string) => edgeEndpoints.list.query.safeParse({ group: text }).success

const narrowEdge = (edge: Edge) => <NarrowEdge edge={edge} />

const actionsColumn = (actions: EdgeMenuActions): DataTableColumn<Edge> => ({
  id: 'actions',
  header: texts.actions,
  kind: 'actions',
  width: 84,
  cell: (edge) => <EdgeMenu edge={edge} {...actions} />,
})

/** The edges of the project, and the enrolment of new ones. */
export function EdgesPage({ isEnrolling = false, onEnrolled }: EdgesPageProps) {
  // Problems first.
  const view = useListView({
    sorts,
    usualSort: 'state',
    filters: {
      state: filterStates,
      tags: 'text',
      match: ['any'],
      place: 'text',
      version: 'text',
      group: 'text',
    },
  })
  const { search, sort, settings } = view
  const { state, tags, match, place, version, group } = view.filters
  const { data: groups } = useEdgeGroups()
  const isGroupGone = group !== null && (!isId(group) || groups?.some(({ _id }) => _id === group) === false)
  const filter: FleetFilter = { tags: tags?.split(',') ?? [], isAny: match === 'any', place, version }
  const changeFilter = ({ tags: chosenTags, isAny, ...others }: Partial<FleetFilter>) =>
    view.setFilters({
      ...others,
      ...(chosenTags !== undefined && { tags: chosenTags.length === 0 ? null : chosenTags.join(',') }),
      ...(isAny !== undefined && { match: isAny ? 'any' : null }),
    })
  const [isAdding, setAdding] = useState(isEnrolling)
  const [isTagging, setTagging] = useState(false)
  const [areUpdatesOpen, setUpdates] = useState(false)
  const mayManage = useRole('edges:manage')
  const navigate = useAppNavigate()
  const leaveEnrolment = useEffectEvent(() => onEnrolled?.())
  // Navigates in an effect, because the dialog's input counts as unsaved until this render.
  useEffect(() => {
    if (!isAdding) leaveEnrolment()
  }, [isAdding])
  const newCode = useNewCode()
  const commands = useEdgeCommands()
  const listQuery: EdgeListQuery = {
    sort,
    ...(search !== '' && { search }),
    ...(state !== null && { state }),
    ...(tags !== null && (match === 'any' ? { anyTags: tags } : { tags })),
    ...(place !== null && { place }),
    ...(version !== null && { version }),
    ...(group !== null && isId(group) && { group }),
  }
  const list = useEdgeList(listQuery)
  const selection = useSelection(list, view.isFiltered)
  /** The query of which all edges are selected, until one of them is not. */
  const [wholeQuery, setWholeQuery] = useState<string | null>(null)
  const isWhole = wholeQuery === JSON.stringify(listQuery)
  const counts = list.answer?.counts
  const shownStates = filterStates.filter(
    (value) => value !== 'silent' || value === state || (counts?.silent ?? 0) > 0,
  )
  const { items: chosen, elsewhere } = selection
  const left = chosen.filter((edge) => !isConnected(edge)).length

  const { diagnose, restart } = commands
  const { create } = newCode
  const hasDecks = list.items?.some(({ report }) => (report?.decks?.devices.length ?? 0) > 0) ?? false
  const hasTags = list.items?.some((edge) => edge.tags.length > 0) ?? false
  const hasPlaces = list.items?.some((edge) => edge.place !== null) ?? false
  const columns = useMemo((): DataTableColumn<Edge>[] => {
    const unused = new Set([
      ...(hasDecks ? [] : [decksColumn]),
      ...(hasTags ? [] : [tagsColumn]),
      ...(hasPlaces ? [] : [placeColumn]),
    ])
    const shown = edgeColumns.filter(({ id }) => !unused.has(id))
    if (!mayManage) return shown
    return [...shown, actionsColumn({ onDiagnose: diagnose, onRestart: restart, onNewCode: create })]
  }, [hasDecks, hasTags, hasPlaces, mayManage, diagnose, restart, create])

  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  if (isGroupGone)
    return (
      <EmptyState
        title={texts.groupGone}
        text={texts.groupGoneText}
        action={<Button onClick={view.clear}>{texts.back}</Button>}
      />
    )
  return (
    <div ref={keepFocus} className={styles.list}>
      <JoinRequests />
      <ListFrame
        list={list}
        isFiltered={view.isFiltered}
        onClear={view.clear}
        notUnderstood={view.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.pages, count: texts.count }}
        search={
          <ListSearch
            label={texts.search}
            value={view.typed}
            onChange={view.setTyped}
            keys={['label', 'state', 'version', 'tag', 'place']}
          />
        }
        filters={
          <>
            <FilterButton chosen={filter} onChange={changeFilter} />
            {groups !== undefined && (
              <GroupChoice
                groups={groups}
                chosen={group}
                onChange={(next) =>
                  view.setFilters(
                    next === null
                      ? { group: next }
                      : { group: next, state: null, tags: null, match: null, place: null, version: null },
                  )
                }
                rule={ruleOf(filter, state === 'silent' ? 'offline' : state)}
              />
            )}
          </>
        }
        above={
          // A fleet without edges needs no filters.
          (list.items?.length !== 0 || view.isFiltered) && (
            <div className={styles.filters}>
              <FilterChips
                label={texts.state}
                value={state}
                onChange={(next) => view.setFilters({ state: next })}
                chips={shownStates.map((value) => ({
                  value,
                  label: texts.fleetStates[value],
                  status: statusOf[value],
                  count: counts?.[value] ?? 0,
                }))}
              />
              <ChosenFilters chosen={filter} onChange={changeFilter} />
            </div>
          )
        }
        columnChoice={
          <ColumnChoice
            label={texts.columns}
            columns={columns}
            settings={settings}
            onSettingsChange={view.setSettings}
          />
        }
        tools={
          <>
            <JobTools group={group} />
            <Button onClick={() => setUpdates(true)}>{texts.updates}</Button>
            {mayManage && add}
          </>
        }
        empty={
          <EmptyState
            title={texts.none}
            text={mayManage ? texts.noneText : texts.noneTextReader}
            action={mayManage ? add : <AskForAccess needs="edges:manage" subject={texts.addingEdge} />}
          />
        }
      >
        <Courses edges={list.items ?? []}>
          <DataTable
            label={texts.edges}
            columns={columns}
            rows={list.items}
            page={list}
            rowKey={({ _id }) => _id}
            rowText={({ label }) => label}
            rowHeight={46}
            settings={settings}
            onSettingsChange={view.setSettings}
            selected={mayManage ? selection.ids : undefined}
            onSelectedChange={(ids) => {
              setWholeQuery(null)
              selection.set(ids)
            }}
            onOpen={(edgeId) => navigate(`edit/${edgeId}`)}
            narrow={narrowEdge}
            narrowRowHeight={hasTags ? 76 : undefined}
          />
        </Courses>
      </ListFrame>
      <ValuesSize />
      {chosen.length > 0 && (
        <SelectionBar
          label={texts.selected(chosen.length, elsewhere)}
          note={notesOn(chosen.length, left)}
          clearLabel={texts.clearSelection}
          onClear={selection.clear}
        >
          {list.total > (list.items?.length ?? 0) && !isWhole && (
            <SelectAll
              query={listQuery}
              total={list.total}
              onRead={(edges) => {
                setWholeQuery(JSON.stringify(listQuery))
                selection.add(edges)
              }}
            />
          )}
          <Button
            variant="ghost"
            icon={<RotateCcw />}
            disabled={left === chosen.length}
            onClick={() => restart(chosen)}
          >
            {texts.restart}
          </Button>
          <Button
            variant="ghost"
            icon={<Stethoscope />}
            disabled={left === chosen.length}
            onClick={() => diagnose(chosen)}
          >
            {texts.diagnose}
          </Button>
          <Button variant="ghost" icon={<Tag />} onClick={() => setTagging(true)}>
            {texts.tags}
          </Button>
          <RunJobForEdges edges={chosen.map(({ _id }) => _id)} />
        </SelectionBar>
      )}
      {commands.dialog}
      {newCode.made !== null && <CommandDialog made={newCode.made} onClose={newCode.close} />}
      {isTagging && chosen.length > 0 && <TagDialog edges={chosen} onClose={() => setTagging(false)} />}
      {areUpdatesOpen && <UpdatesDialog onClose={() => setUpdates(false)} />}
      {isAdding && mayManage && <EnrolDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

/** Returns what the actions for a selection do not reach. */
function notesOn(total: number, left: number): string | undefined {
  const notes = [
    ...(left > 0 ? [texts.leftOut(left)] : []),
    ...(total > limits.edgeJobEdgesMax ? [texts.tooManyForJob(limits.edgeJobEdgesMax)] : []),
  ]
  return notes.length === 0 ? undefined : notes.join(' · ')
}

interface SelectAllProps {
  query: EdgeListQuery
  total: number
  onRead: (edges: readonly Edge[]) => void
}

/** Selects the edges of all pages. */
function SelectAll({ query, total, onRead }: SelectAllProps) {
  const notify = useNotify()
  const readAll = useAllEdges()
  const { mutate, isPending } = useRun(() => readAll(query), {
    onSuccess: onRead,
    onError: (error) => notify({ title: texts.loadingFailed, error }),
  })
  return (
    <Button variant="ghost" pending={isPending} onClick={() => mutate()}>
      {texts.selectAll(total)}
    </Button>
  )
}
