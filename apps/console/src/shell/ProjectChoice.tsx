import { limits, type Project, type ProjectState } from '@pult/contract'
import { Button, Kbd, Link, Popover, Skeleton, StatusShape } from '@pult/ui'
import Check from 'lucide-react/icons/check'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import TextSearch from 'lucide-react/icons/text-search'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { partsOf } from '#platform/desk/fleet-parts.ts'
import { statusOfProblems } from '#platform/desk/status-of-project.ts'
import { goTo } from '#platform/go-to.ts'
import { openPaletteWith } from '#platform/typed-ahead.ts'
import { pages } from '../pages/pages.tsx'
import { chooseProject } from '../projects/open-project.ts'
import { useProjectStates } from '../projects/overview.queries.ts'
import { texts as projectTexts } from '../projects/projects.texts.ts'
import type { DropdownContentProps } from './Dropdown.tsx'
import styles from './ProjectChoice.module.css'
import { ProjectTile } from './ProjectTile.tsx'
import { texts } from './shell.texts.ts'
import { type ProjectSection, useProjectChoice } from './use-project-choice.ts'

/** Searches the projects and makes the chosen one active. */
export function ProjectChoice({ anchor, open, onClose }: DropdownContentProps) {
  return (
    <Popover
      anchor={anchor}
      open={open}
      onClose={onClose}
      label={texts.switchProject}
      placement="bottom start"
    >
      <Choice onClose={onClose} />
    </Popover>
  )
}

function Choice({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { sections, active, byDigit, items, error, retry, isSearching, more } = useProjectChoice(search)
  const all = sections.flatMap(({ projects }) => projects)
  const current = Math.min(at, all.length - 1)

  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, search])

  const choose = (project: Project | undefined) => {
    if (project === undefined) return
    onClose()
    if (project._id === active?._id) goTo('/')
    else chooseProject(project)
  }
  const move = (to: number) => setAt(Math.max(0, Math.min(to, all.length - 1)))
  const press = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(current + 1),
      ArrowUp: () => move(current - 1),
      PageDown: () => move(current + 8),
      PageUp: () => move(current - 8),
      Enter: () => choose(all[current]),
    }
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  const loadMore = () => {
    const { current: element } = list
    if (!element || !more || more.isPending) return
    if (element.scrollHeight - element.scrollTop - element.clientHeight < 200) more.load()
  }

  return (
    <div className={styles.choice}>
      <div className={styles.field}>
        <Search aria-hidden="true" />
        <input
          className={styles.input}
          ref={field}
          role="combobox"
          aria-label={texts.findProject}
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={all.length > 0 ? `${listId}-${current}` : undefined}
          placeholder={texts.findProject}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.searchMax}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <span className={styles.keys} aria-hidden="true">
          <Kbd keys="P" />
        </span>
      </div>
      <div
        ref={list}
        id={listId}
        className={styles.list}
        role="listbox"
        aria-label={pages.projects.label}
        aria-busy={isSearching || undefined}
        onScroll={loadMore}
      >
        <Sections
          {...{ sections, active, listId, current, byDigit: search.trim() === '' ? byDigit : [] }}
          onPoint={setAt}
          onChoose={choose}
        />
      </div>
      {error !== null ? (
        <div className={styles.nothing} role="alert">
          <p>
            {texts.projectsFailed}: {messageOf(error)}
          </p>
          <Button onClick={retry}>{texts.retry}</Button>
        </div>
      ) : items === undefined || (isSearching && all.length === 0) ? (
        <div className={styles.nothing}>
          <Skeleton width="100%" />
          <Skeleton width="70%" />
        </div>
      ) : (
        all.length === 0 && <Nothing search={search.trim()} onClose={onClose} />
      )}
      <div className={styles.foot}>
        <Link href="/projects" className={styles.action} onClick={onClose}>
          <FolderKanban aria-hidden="true" />
          {texts.allProjects}
        </Link>
        <Link href="/projects/create" className={styles.action} onClick={onClose}>
          <Plus aria-hidden="true" />
          {texts.createProject}
        </Link>
        <span className={styles.keys} aria-hidden="true">
          <Kbd keys="↑" /> <Kbd keys="↓" /> <Kbd keys="↵" />
        </span>
      </div>
    </div>
  )
}

/** Other actions when no project matches. */
function Nothing({ search, onClose }: { search: string; onClose: () => void }) {
  const typed = encodeURIComponent(search)
  return (
    <div className={styles.nothing}>
      <p role="status">{search === '' ? texts.noProjects : texts.noProjectFound(search)}</p>
      {search !== '' && (
        <>
          <Link href={`/projects?search=${typed}`} className={styles.action} onClick={onClose}>
            <Search aria-hidden="true" />
            {projectTexts.searchAll(search)}
          </Link>
          <Link href={`/projects/create?label=${typed}`} className={styles.action} onClick={onClose}>
            <Plus aria-hidden="true" />
            {projectTexts.createNamed(search)}
          </Link>
          <button
            type="button"
            className={`${styles.action} ${styles.button}`}
            onClick={() => {
              onClose()
              openPaletteWith(search)
            }}
          >
            <TextSearch aria-hidden="true" />
            {projectTexts.searchEverything(search)}
          </button>
        </>
      )}
    </div>
  )
}

interface SectionsProps {
  sections: readonly ProjectSection[]
  active: Project | null
  listId: string
  current: number
  /** The projects that a digit finds, in the order of the digits. */
  byDigit: readonly Project[]
  onPoint: (at: number) => void
  onChoose: (project: Project) => void
}

function Sections({ sections, active, listId, current, byDigit, onPoint, onChoose }: SectionsProps) {
  const states = useProjectStates()
  let counted = 0
  return sections.map(({ title, projects }, index) => {
    const first = counted
    counted += projects.length
    return (
      <div key={title} role="group" aria-labelledby={`${listId}-title-${index}`} className={styles.group}>
        <div id={`${listId}-title-${index}`} className={styles.title}>
          {title}
        </div>
        {projects.map((project, place) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- The field keeps the focus and handles the keys.
          <div
            key={project._id}
            id={`${listId}-${first + place}`}
            role="option"
            aria-selected={first + place === current}
            className={styles.option}
            // A resting pointer does not select entries that move below it.
            onPointerMove={() => onPoint(first + place)}
            onClick={() => onChoose(project)}
          >
            <ProjectTile project={project} />
            <span className={styles.texts}>
              <span className={styles.label}>{project.label}</span>
              <span className={styles.detail}>{detailOf(project, title, states.get(project._id))}</span>
            </span>
            <Shape state={states.get(project._id)} />
            {project._id === active?._id && <Check className={styles.check} aria-label={texts.isActive} />}
            {byDigit.includes(project) && (
              <span className={styles.keys}>
                <Kbd keys={String(byDigit.indexOf(project) + 1)} /> <Kbd keys="↵" />
              </span>
            )}
          </div>
        ))}
      </div>
    )
  })
}

/** The shape of the worst problem. The detail shows the number of problems. */
function Shape({ state }: { state: ProjectState | undefined }) {
  const status = state === undefined ? null : statusOfProblems(state.problems)
  return (
    status !== null && (
      <span className={styles.shape}>
        <StatusShape status={status} />
      </span>
    )
  )
}

/** Returns the project's facts that differ from its section's title, and its state. */
const detailOf = ({ orgLabel, meta }: Project, title: string, state: ProjectState | undefined) =>
  [...new Set([orgLabel ?? texts.privateProject, meta.customer, stateOf(state)])]
    .filter((text) => text !== '' && text !== title)
    .join(' · ')

/** Returns the number of problems, else of running tasks, else the edges by state. */
function stateOf(state: ProjectState | undefined): string {
  if (state === undefined) return ''
  const { problems, tasks, fleet } = state
  if (problems.count > 0) return deskTexts.problems(problems.count)
  if (tasks.running > 0) return deskTexts.overview.running(tasks.running)
  const [first, ...others] = fleet === null ? [] : partsOf(fleet).filter(({ count }) => count > 0)
  if (first === undefined) return ''
  return [
    `${deskTexts.edges(first.count)} ${first.label}`,
    ...others.map(({ count, label }) => `${count} ${label}`),
  ].join(', ')
}
