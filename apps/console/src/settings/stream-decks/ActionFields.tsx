import type { DeckAction, Fragment, Project } from '@pult/contract'
import { EdgeInstanceSelect } from '@pult/sdk/ui'
import { SelectField } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fragmentsQuery } from '../../extensions/extensions.queries.ts'
import { useProjectList } from '../../projects/project-list.queries.ts'
import { edgesQuery } from './shown-keys.ts'
import { texts } from './stream-decks.texts.ts'
import { TypedField } from './TypedField.tsx'

type Kind = keyof typeof texts.actions

const kinds: readonly Kind[] = ['none', 'app', 'start', 'abort', 'show', 'edge', 'instance', 'url']

interface ActionFieldsProps {
  action: DeckAction | null
  /** Called with the complete action and its default label; null while it is incomplete. */
  onAction: (action: DeckAction | null, label: string) => void
}

/** The fields for a key's action and its target. */
export function ActionFields({ action, onAction }: ActionFieldsProps) {
  const [kind, setKind] = useState<Kind>(kindOf(action))
  const [project, setProject] = useState<string | null>(
    action !== null && 'project' in action ? action.project : null,
  )
  const { items, error } = useProjectList('')
  const projects = items ?? []
  const chosen = project ?? (kind === 'app' ? null : (projects[0]?._id ?? null))

  const choose = (next: Kind) => {
    setKind(next)
    if (next === 'none') onAction(null, '')
    else if (next === 'start' || next === 'abort' || next === 'show')
      chooseTask(next, chosen ?? projects[0]?._id ?? null)
  }
  const chooseTask = (verb: 'start' | 'abort' | 'show', of: string | null) => {
    const [task = '', label = ''] = Object.entries(texts.taskKinds)[0] ?? []
    if (of !== null) onAction({ type: 'task', verb, task, project: of }, label)
  }
  const chooseProject = (next: string | null) => {
    setProject(next)
    if (kind === 'start' || kind === 'abort' || kind === 'show') chooseTask(kind, next)
  }

  return (
    <>
      <SelectField
        label={texts.action}
        value={kind}
        // A task chosen before its project is known would make no action.
        disabled={items === undefined && error === null}
        onChange={({ target }) => choose(target.value as Kind)}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {texts.actions[each]}
          </option>
        ))}
      </SelectField>
      {kind !== 'none' && kind !== 'url' && (
        <ProjectField
          projects={projects}
          value={chosen}
          canBeNone={kind === 'app'}
          onChange={chooseProject}
        />
      )}
      {kind === 'app' && <AppField project={chosen} action={action} onAction={onAction} />}
      {kind === 'edge' && chosen !== null && (
        <EdgeField project={chosen} action={action} onAction={onAction} />
      )}
      {kind === 'instance' && chosen !== null && (
        <EdgeInstanceSelect
          label={texts.instance}
          project={chosen}
          required
          value={action?.type === 'instance' && action.project === chosen ? action : null}
          onChange={(selection) =>
            selection && onAction({ type: 'instance', ...selection, project: chosen }, '')
          }
        />
      )}
      {kind === 'url' && (
        <TypedField
          label={texts.url}
          placeholder={texts.urlPlaceholder}
          maxLength={500}
          value={action?.type === 'url' ? action.url : ''}
          errorOf={(url) => (/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(url) ? undefined : texts.urlWrong)}
          onType={(url) => onAction({ type: 'url', url }, '')}
        />
      )}
    </>
  )
}

function kindOf(action: DeckAction | null): Kind {
  if (action === null) return 'none'
  return action.type === 'task' ? action.verb : action.type
}

interface ProjectFieldProps {
  projects: readonly Project[]
  value: string | null
  /** Root apps belong to no project. */
  canBeNone: boolean
  onChange: (project: string | null) => void
}

function ProjectField({ projects, value, canBeNone, onChange }: ProjectFieldProps) {
  return (
    <SelectField
      label={texts.project}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      {canBeNone && <option value="">{texts.noProject}</option>}
      {projects.map(({ _id, label }) => (
        <option key={_id} value={_id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

interface AppFieldProps extends ActionFieldsProps {
  project: string | null
}

function AppField({ project, action, onAction }: AppFieldProps) {
  const { data: fragments } = useQuery(fragmentsQuery(project))
  const apps = (fragments ?? []).flatMap((fragment: Fragment) => fragment.apps)
  const value = action?.type === 'app' && action.project === project ? action.app : ''
  const choose = (id: string) => {
    const label = apps.find((app) => app.id === id)?.label ?? ''
    if (id !== '') onAction({ type: 'app', app: id, project }, label)
  }
  return (
    <SelectField label={texts.app} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="" disabled>
        {apps.length === 0 ? texts.noApps : ''}
      </option>
      {apps.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

function EdgeField({ project, action, onAction }: ActionFieldsProps & { project: string }) {
  const { data: edges = [] } = useQuery(edgesQuery(project))
  const value = action?.type === 'edge' && action.project === project ? action.edge : ''
  const choose = (edge: string) => {
    const label = edges.find(({ _id }) => _id === edge)?.label ?? ''
    onAction({ type: 'edge', edge, project }, label)
  }
  return (
    <SelectField label={texts.edge} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="" disabled>
        {edges.length === 0 ? texts.noEdges : ''}
      </option>
      {edges.map(({ _id, label }) => (
        <option key={_id} value={_id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
